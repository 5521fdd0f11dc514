// SPDX-License-Identifier: Apache-2.0
// The settings among the arguments.
#pragma once

#include "commandline/parser.hpp"
#include "configuration/read_configuration.hpp"

namespace skillhost::app {

// As readConfiguration takes them. Fails when --set has no equals sign.
Result<Given> givenSettings(const ParsedArguments &arguments);

// Options of HTTP without `transport: http` would leave the program waiting on standard input: an
// option that is typed is refused, and what the file or the environment says is a warning.
Status checkTransport(const Given &given, ReadConfiguration &read);

// Sets the level of the log to `least` for a command, whose output matters more than the log. A
// level on the command line or in the environment stays; one in the file is meant for the server.
void quieten(ReadConfiguration &read, LogLevel least);

} // namespace skillhost::app
