// SPDX-License-Identifier: Apache-2.0
// Addresses to listen at, as people write them and as they are shown.
#pragma once

#include "net/http_server.hpp"
#include "net/http_settings.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skillhost {

// The setting that contains an address, and the forms that it may have, for messages.
struct AddressKey {
  const char *name, *forms;
};

// Reads an address such as "127.0.0.1:8080". `port` is the port of an address that names none;
// without it, each address must name a port. Throws std::runtime_error that quotes the error and
// says what to write.
HttpAddress addressOf(const std::string &text, std::optional<std::uint16_t> port,
                      const AddressKey &key);

// True if no other machine can reach the address: a unix socket, localhost or a loopback address.
// Any other name counts as reachable.
bool isLoopback(const HttpAddress &address);

// Returns the URL of a path at an address that is not a unix socket.
std::string urlOf(const HttpEndpoint &endpoint, const std::string &path);

} // namespace skillhost
