// SPDX-License-Identifier: Apache-2.0
// What signing in to a server over HTTP takes: `skillhost login`, `logout`, and `connect --login`.
#pragma once

#include "app/command_line.hpp"
#include "command_line/description.hpp"
#include "command_line/parser.hpp"

#include <vector>

namespace skillhost::app {

// The options beside those of every connection, for whoever signs in.
std::vector<ArgumentDescription> signInOptions(const char *group);
// What was given of them, for the server at `connect.url`.
Status readSignIn(const ParsedArguments &given, const Surroundings &surroundings,
                  const ConnectSettings &connect, LoginSettings &login);

CommandDescription loginDescription(const ArgumentDescription &help, const char *group);
CommandDescription logoutDescription(const ArgumentDescription &help, const char *group);
// For both.
Result<Invocation> loginInvocation(const ParsedArguments &given, const Surroundings &surroundings);

} // namespace skillhost::app
