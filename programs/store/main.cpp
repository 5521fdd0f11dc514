// SPDX-License-Identifier: Apache-2.0
// The program skillhost-store, which `skillhost skill save`, `push` … and `skillhost key` execute.
// It finds a skill of the catalogue as the server would, so it contains all of the server's code
// for that.
#include "app/command_line.hpp"
#include "app/host_features.hpp"
#include "command_line/given.hpp"
#include "command_line/program.hpp"
#include "commit.hpp"
#include "options.hpp"
#include "plugin/end_after_plugins.hpp"
#include "program.hpp"
#include "store.hpp"
#include "store_commands.hpp"
#include "store_options.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

int act(const app::ParsedArguments &parsed, const app::Surroundings &surroundings,
        const StoreSettings &settings, const std::string &executable) {
  if (!needsConfiguration(parsed)) {
    const app::Logging logging({LogLevel::Warning, {}}, surroundings);
    return useStore(settings, {}, executable);
  }
  const Result<app::CommandLineSettings> of = app::givenSettings(parsed);
  if (!of) return programs::refuse(of.failure());
  Result<app::LoadedConfiguration> read = app::readConfiguration(*of, surroundings);
  if (!read) return programs::refuse(read.failure());
  app::raiseLogLevel(*read, LogLevel::Warning);
  const app::Logging logging(read->configuration.log, surroundings);
  for (const std::string &warning : read->warnings) log::warning("config", warning);
  for (const std::string &notice : read->notices) log::info("config", notice);
  return useStore(settings, read->configuration, executable);
}

app::CommandDescription description() {
  const app::ArgumentDescription help = app::helpOption();
  std::vector<app::CommandDescription> commands =
      programs::carriedOutBy("store", app::ServerOptions::Taken,
                             {programs::skillGroup(app::storeDescriptions(help, app::jsonOption())),
                              app::keyDescription(help)});
  // skillhost-catalogue describes these two commands, and executes this program if they name a
  // store.
  std::vector<app::ArgumentDescription> options = app::storeOptions();
  options.insert(options.begin(), {help, app::jsonOption()});
  commands.front().commands.push_back({"list", "", true, options});
  commands.front().commands.push_back({"info", "", true, options, {{{"NAME"}, "TEXT", ""}}});
  return app::serverWith(std::move(commands));
}

} // namespace
} // namespace skillhost

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  // skillhost passes its own path instead of this program's name, because its plugins are found
  // from there.
  const std::string executable = count > 0 ? words[0] : "";
  return endAfterPlugins(programs::run(
      arguments, description(),
      [&](const app::ParsedArguments &parsed, app::Surroundings surroundings) {
        surroundings.commit = commitOfBuild();
        surroundings.featureTools = app::toolsOf(app::builtForHosts().filters);
        const auto text = app::textToPrint(parsed, surroundings, true);
        if (!text) return programs::refuse(text.failure());
        if (*text) return std::fputs((*text)->c_str(), stdout) < 0 ? 1 : 0;
        const Result<StoreSettings> settings = readStoreSettings(parsed, surroundings);
        if (!settings) return programs::refuse(settings.failure());
        return act(parsed, surroundings, *settings, executable);
      }));
}
