// SPDX-License-Identifier: Apache-2.0
// What main() is for a program that `skillhost VERB …` executes.
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

// The exit code. What it throws is said on standard error, with exit code 1.
using Work = std::function<int(const app::ParsedArguments &, const app::Surroundings &)>;

// Marks commands, and what is below them, as carried out by skillhost-NAME.
std::vector<app::CommandDescription> carriedOutBy(std::string_view name,
                                                  app::ServerOptions serverOptions,
                                                  std::vector<app::CommandDescription> commands);

// `skill`, the heading of commands that several programs carry out, with those of one of them.
app::CommandDescription skillGroup(std::vector<app::CommandDescription> commands);

// skillhost with these commands alone, for a program that takes no options of the server. One that
// takes them has app::serverWith().
app::CommandDescription skillhostWith(std::vector<app::CommandDescription> commands);

// Parses the arguments, the verb first, as `program` describes them; helps, refuses, or works. The
// exit code: 1 too when not all that was printed could be written. With --describe-commands FILE...
// in place of a verb it writes the descriptions of its commands into files that are called as
// commandline/description_file.hpp says: Meson installs them for skillhost to read.
int run(std::span<const std::string> arguments, const app::CommandDescription &program,
        const Work &work);

// Says on standard error what was wrong. The exit code, 1.
int refuse(const Failure &why);

} // namespace skillhost::programs
