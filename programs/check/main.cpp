// SPDX-License-Identifier: Apache-2.0
// The program skillhost-check, which `skillhost check …` and `try …` execute. It executes itself
// for the processes that load the plugin.
#include "app/plugin_isolation.hpp"
#include "check/check.hpp"
#include "check_plugin.hpp"
#include "options.hpp"
#include "plugin_commands.hpp"
#include "program.hpp"
#include "try_plugin.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

// A check is confined like the runner of a plugin.
check::Confinement confineForCheck(const check::UnconfinedProcess &process) {
  const auto isolation = app::pluginIsolation({}); // this starts nothing
  if (!isolation) return {false, {}, std::string(noIsolation)};
  PluginConfinement confined = isolation->confine(
      {process.plugin, process.configuration, process.mayRead, process.cacheDirectory,
       process.memoryBytes, process.fileBytes, process.sockets});
  return {confined.complete, std::move(confined.text), std::move(confined.refusal)};
}

int work(const app::ParsedArguments &parsed, const app::Surroundings &surroundings) {
  const bool checks = parsed.commands.front() == "check";
  const Result<CheckSettings> settings =
      checks ? readCheckSettings(parsed, surroundings) : readTrySettings(parsed, surroundings);
  if (!settings) return programs::refuse(settings.failure());
  return checks ? checkPlugin(*settings, surroundings) : tryPlugin(*settings, surroundings);
}

} // namespace
} // namespace skillhost

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  if (check::isChild(arguments)) return check::runChild(arguments, &confineForCheck);
  const app::ArgumentDescription help = app::helpOption();
  return programs::run(
      arguments,
      programs::skillhostWith(programs::carriedOutBy(
          "check", app::ServerOptions::Refused,
          {app::checkDescription(help, app::jsonOption()), app::tryDescription(help)})),
      work);
}
