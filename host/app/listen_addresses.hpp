// SPDX-License-Identifier: Apache-2.0
// What `http.listen` means, and which hosts and origins requests may then name.
#pragma once

#include "app/configuration.hpp"
#include "net/http_server.hpp"
#include "net/http_settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::app {

// Throws std::runtime_error that quotes what is wrong and says what to write.
HttpSettings httpSettings(const Configuration &configuration);
// The setting that an address stands in, and what may stand there, for messages.
struct AddressKey {
  const char *name, *forms;
};
// Reads an address such as "127.0.0.1:8080". `port` is that of one that names none; none: each has
// to name one. Throws as httpSettings().
HttpAddress addressOf(const std::string &text, std::optional<std::uint16_t> port,
                      const AddressKey &key);
// As HttpRules has them. No hosts: any.
std::vector<std::string> allowedHosts(const HttpConfiguration &configuration,
                                      const std::vector<HttpEndpoint> &endpoints);
std::vector<std::string> allowedOrigins(const HttpConfiguration &configuration);

// The URL of a path at an address that is no unix socket.
std::string urlOf(const HttpEndpoint &endpoint, const std::string &path);

// Whether other machines can reach what is listened to, as far as the configuration tells: a socket
// that somebody else opens, and a name that is not localhost, may be anything.
bool reachableFromElsewhere(const Configuration &configuration);

} // namespace skillhost::app
