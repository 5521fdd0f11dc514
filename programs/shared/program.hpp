// SPDX-License-Identifier: Apache-2.0
// The common main() of the programs that `skillhost VERB …` executes.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::programs {

// Returns the exit code. Its exceptions are reported on standard error, with exit code 1.
using Work = std::function<int(const app::ParsedArguments &, const app::Surroundings &)>;

// Returns the commands, marked as those that the program skillhost-NAME carries out, with all
// commands below them.
std::vector<app::CommandDescription> carriedOutBy(std::string_view name,
                                                  app::ServerOptions serverOptions,
                                                  std::vector<app::CommandDescription> commands);

// Returns `skill`, the group of commands that several programs carry out, with the commands of one
// program.
app::CommandDescription skillGroup(std::vector<app::CommandDescription> commands);

// Returns skillhost with only these commands, for a program that takes no options of the server.
// Otherwise use app::serverWith().
app::CommandDescription skillhostWith(std::vector<app::CommandDescription> commands);

// Parses the arguments, the verb first, as `program` describes them; prints help, refuses, or
// works. Returns the exit code, which is also 1 if not all output could be written. With
// --describe-commands FILE... instead of a verb it writes the descriptions of its commands into
// these files, whose names commandline/description_file.hpp defines. Meson installs them for
// skillhost to read.
int run(std::span<const std::string> arguments, const app::CommandDescription &program,
        const Work &work);

// Prints the failure to standard error and returns the exit code, 1.
int refuse(const Failure &why);

} // namespace skillhost::programs
