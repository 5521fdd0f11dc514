// SPDX-License-Identifier: Apache-2.0
// What `skillhost connect` takes, and was told.
#pragma once

#include "app/command_line.hpp"
#include "command_line/description.hpp"
#include "command_line/parser.hpp"

#include <vector>

namespace skillhost::app {

// What any command takes that connects to a server over HTTP: tokens, fields, trust, patience, log.
std::vector<ArgumentDescription> connectionOptions(const char *group);
// What --header gave, blanks around names and values taken off. What may stand there
// checkConnectSettings() says.
Result<HttpFields> readHeaderFields(const ParsedArguments &given);
// The same as they were given, for the server at `settings.url`; the log's go to `invocation`. With
// an empty URL nothing is checked.
Status readConnection(const ParsedArguments &given, const Surroundings &surroundings,
                      Invocation &invocation, ConnectSettings &settings);

CommandDescription connectDescription(const ArgumentDescription &help, const char *group);
Result<Invocation> connectInvocation(const ParsedArguments &given,
                                     const Surroundings &surroundings);

} // namespace skillhost::app
