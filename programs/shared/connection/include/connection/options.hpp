// SPDX-License-Identifier: Apache-2.0
// What was given on the command line of a program that connects to a server over HTTP.
#pragma once

#include "app/log_configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "connection/settings.hpp"

namespace skillhost {

// The options of every connection, and those of --login, for the server at `settings.url`; the
// log's, with what the environment says of it, go to `log`. With an empty URL nothing is checked.
Status readConnection(const app::ParsedArguments &given, const app::Surroundings &surroundings,
                      app::LogConfiguration &log, ConnectSettings &settings);

// Those of a sign-in, for the server at `connect.url`.
Status readSignIn(const app::ParsedArguments &given, const app::Surroundings &surroundings,
                  const ConnectSettings &connect, LoginSettings &login);

} // namespace skillhost
