// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

// The settings of `skillhost token`.
struct TokenCommand {
  enum class Action : std::uint8_t { Add, List, Revoke };
  Action action = Action::List;
  std::string file; // absolute
  std::string name;
  std::vector<std::string> scopes;
  std::int64_t expiresIn = 0; // seconds; 0: never
  bool json = false;
};

Result<TokenCommand> readTokenCommand(const app::ParsedArguments &arguments,
                                      const app::Surroundings &surroundings);

} // namespace skillhost
