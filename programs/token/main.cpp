// SPDX-License-Identifier: Apache-2.0
// The program skillhost-token, which `skillhost token …` executes.
#include "options.hpp"
#include "program.hpp"
#include "token_commands.hpp"
#include "tokens.hpp"

#include <algorithm>
#include <string>
#include <vector>

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  return programs::run(
      arguments,
      programs::skillhostWith(
          programs::carriedOutBy("token", app::ServerOptions::Refused, {app::tokenDescription()})),
      [](const app::ParsedArguments &parsed, const app::Surroundings &surroundings) {
        const Result<TokenCommand> settings = readTokenCommand(parsed, surroundings);
        if (!settings) return programs::refuse(settings.failure());
        changeTokens(*settings);
        return 0;
      });
}
