// SPDX-License-Identifier: Apache-2.0
// Describes the options of `skillhost connect`, `login`, `logout` and `health`.
#pragma once

#include "commandline/description.hpp"

#include <vector>

namespace skillhost::app {

// The options of every command that connects to a server over HTTP: tokens, fields, trust,
// patience, log.
std::vector<ArgumentDescription> connectionOptions(const char *group);
// The additional options of commands that sign in.
std::vector<ArgumentDescription> signInOptions(const char *group);

CommandDescription connectDescription(const ArgumentDescription &help, const char *group);
CommandDescription loginDescription(const ArgumentDescription &help, const char *group);
CommandDescription logoutDescription(const ArgumentDescription &help, const char *group);
CommandDescription healthDescription(const ArgumentDescription &help, const char *group);

} // namespace skillhost::app
