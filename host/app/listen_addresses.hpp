// SPDX-License-Identifier: Apache-2.0
// Interprets `http.listen`, and determines which hosts and origins requests may name.
#pragma once

#include "app/configuration.hpp"
#include "net/http_server.hpp"
#include "net/http_settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::app {

// Throws std::runtime_error that quotes the wrong value and says what to write.
HttpSettings httpSettings(const Configuration &configuration);
// The name of a setting with an address, and the forms that it accepts, for messages.
struct AddressKey {
  const char *name, *forms;
};
// Parses an address such as "127.0.0.1:8080". `port` is the default port; without a value each
// address has to name one. Throws like httpSettings().
HttpAddress addressOf(const std::string &text, std::optional<std::uint16_t> port,
                      const AddressKey &key);
// Returns the lists for HttpRules. An empty list of hosts allows any.
std::vector<std::string> allowedHosts(const HttpConfiguration &configuration,
                                      const std::vector<HttpEndpoint> &endpoints);
std::vector<std::string> allowedOrigins(const HttpConfiguration &configuration);

// Returns the URL of a path at an address that is no unix socket.
std::string urlOf(const HttpEndpoint &endpoint, const std::string &path);

// Returns true if other machines may be able to connect, as far as the configuration says: a socket
// that another process opens, and a name other than localhost, may be anything.
bool reachableFromElsewhere(const Configuration &configuration);

} // namespace skillhost::app
