// SPDX-License-Identifier: Apache-2.0
// The program skillhost-generate, which `skillhost generate …` executes.
#include "generate.hpp"
#include "generate_command.hpp"
#include "options.hpp"
#include "program.hpp"

#include <algorithm>
#include <string>
#include <vector>

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  return programs::run(
      app::withoutServerCommand(arguments),
      programs::skillhostWith(programs::carriedOutBy(
          "generate", app::ServerOptions::Refused,
          {app::generateDescription(app::helpOption(), app::jsonOption(), app::generalOptions)})),
      [&](const app::ParsedArguments &parsed, const app::Surroundings &surroundings) {
        const Result<GenerateSettings> settings =
            readGenerateSettings(arguments, parsed, surroundings);
        if (!settings) return programs::refuse(settings.failure());
        const app::Logging logging(settings->log, surroundings);
        return generateSkill(*settings);
      });
}
