// SPDX-License-Identifier: Apache-2.0
// Reads the command line of a program that connects to a server over HTTP.
#pragma once

#include "app/log_configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "connection/settings.hpp"

namespace skillhost {

// Reads the options of every connection, and those of --login, for the server at `settings.url`.
// The options of the log go to `log`, together with its environment variables. With an empty URL
// nothing is checked.
Status readConnection(const app::ParsedArguments &arguments, const app::Surroundings &surroundings,
                      app::LogConfiguration &log, ConnectSettings &settings);

// Reads the options of a sign-in to the server at `connect.url`.
Status readSignIn(const app::ParsedArguments &arguments, const app::Surroundings &surroundings,
                  const ConnectSettings &connect, LoginSettings &login);

} // namespace skillhost
