// SPDX-License-Identifier: Apache-2.0
// What main() is for a program that `skillhost VERB …` executes.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace skillhost::programs {

// The exit code. What it throws is said on standard error, with exit code 1.
using Work = std::function<int(const app::ParsedArguments &, const app::Surroundings &)>;

// skillhost with these commands alone: what most programs carry out. One whose commands take the
// options of the server too parses by the description of all.
app::CommandDescription skillhostWith(std::vector<app::CommandDescription> commands);

// Parses the arguments, the verb first, as `program` describes them; helps, refuses, or works. The
// exit code: 1 too when not all that was printed could be written.
int run(std::span<const std::string> arguments, const app::CommandDescription &program,
        const Work &work);

// Says on standard error what was wrong. The exit code, 1.
int refuse(const Failure &why);

} // namespace skillhost::programs
