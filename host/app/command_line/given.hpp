// SPDX-License-Identifier: Apache-2.0
// Finds the settings among the arguments.
#pragma once

#include "commandline/parser.hpp"
#include "configuration/read_configuration.hpp"

namespace skillhost::app {

// Returns the settings for readConfiguration(). Fails if --set has no equals sign.
Result<CommandLineSettings> givenSettings(const ParsedArguments &arguments);

// Checks for settings of HTTP without `transport: http`, with which the program would wait on
// standard input. An option on the command line is refused; a setting in the file or the
// environment results in a warning.
Status checkTransport(const CommandLineSettings &settings, LoadedConfiguration &read);

// Sets the level of the log to at least `least`, for a command whose output matters more than the
// log. A level on the command line or in the environment stays; one in the file is meant for the
// server.
void raiseLogLevel(LoadedConfiguration &read, LogLevel least);

} // namespace skillhost::app
