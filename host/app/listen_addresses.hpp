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
// Return the lists for HttpRules. An empty list of hosts allows any host.
std::vector<std::string> allowedHosts(const HttpConfiguration &configuration,
                                      const std::vector<HttpEndpoint> &endpoints);
std::vector<std::string> allowedOrigins(const HttpConfiguration &configuration);

// True if other machines may reach the listening addresses. A socket that systemd opens, and a name
// other than localhost, count as reachable, because the configuration does not say more.
bool reachableFromElsewhere(const Configuration &configuration);

} // namespace skillhost::app
