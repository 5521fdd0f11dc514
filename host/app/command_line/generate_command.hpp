// SPDX-License-Identifier: Apache-2.0
// `skillhost generate`: a skill that documents an MCP server.
#pragma once

#include "app/command_line.hpp"
#include "command_line/parser.hpp"

#include <span>
#include <string>
#include <vector>

namespace skillhost::app {

CommandDescription generateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json, const char *group);

// The words behind the first "--" of `generate` are a command of somebody else's: none of them is
// an option of ours. Takes them off `arguments`; none when there is no such command.
std::vector<std::string> takeServerCommand(std::span<const std::string> &arguments);

Result<Invocation> generateInvocation(const ParsedArguments &given,
                                      std::vector<std::string> serverCommand,
                                      const Surroundings &surroundings);

} // namespace skillhost::app
