// SPDX-License-Identifier: Apache-2.0
// `search`: a question, or a file of questions with their answers.
#pragma once

#include "app/command_line.hpp"
#include "command_line/given.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

namespace skillhost::app {

CommandDescription searchDescription(const ArgumentDescription &help,
                                     const ArgumentDescription &json, const char *group);

// What the command itself was given; the configuration is not read yet.
Result<SearchInvocation> searchInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

// For --evaluate: puts the folders it was given in the place of the sources of `read`, and reads
// the configuration to compare with.
Status takeEvaluation(const ParsedArguments &given, const Given &settings,
                      const Surroundings &surroundings, ReadConfiguration &read,
                      SearchInvocation &search);

} // namespace skillhost::app
