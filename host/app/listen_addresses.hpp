// SPDX-License-Identifier: Apache-2.0
// Interprets `http.listen`, and determines which hosts and origins requests may name.
#pragma once

#include "app/configuration.hpp"
#include "net/http_server.hpp"
#include "net/http_settings.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Throws std::runtime_error that quotes the wrong value and says what to write.
HttpSettings httpSettings(const Configuration &configuration);
// As HttpRules has them. No hosts: any.
std::vector<std::string> allowedHosts(const HttpConfiguration &configuration,
                                      const std::vector<HttpEndpoint> &endpoints);
std::vector<std::string> allowedOrigins(const HttpConfiguration &configuration);

// Whether other machines can reach what is listened to, as far as the configuration tells: a socket
// that somebody else opens, and a name that is not localhost, may be anything.
bool reachableFromElsewhere(const Configuration &configuration);

} // namespace skillhost::app
