// SPDX-License-Identifier: Apache-2.0
// The program skillhost-propose, which `skillhost propose …` executes.
#include "program.hpp"
#include "propose.hpp"
#include "propose_command.hpp"

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

int main(int count, char **words) {
  using namespace skillhost;
  ::signal(SIGPIPE, SIG_IGN); // a closed connection is an error, not an end
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  return programs::run(
      arguments,
      programs::skillhostWith(
          programs::carriedOutBy("propose", app::ServerOptions::Refused, {proposeDescription()})),
      [](const app::ParsedArguments &parsed, const app::Surroundings &surroundings) {
        const Result<ProposeSettings> settings = readProposeSettings(parsed, surroundings);
        if (!settings) return programs::refuse(settings.failure());
        const app::Logging logging(settings->log, surroundings);
        return proposeSkill(*settings);
      });
}
