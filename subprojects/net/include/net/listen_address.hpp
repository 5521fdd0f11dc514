// SPDX-License-Identifier: Apache-2.0
// Addresses to listen at, as people write them and as they are shown.
#pragma once

#include "net/http_server.hpp"
#include "net/http_settings.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skillhost {

// The setting that an address stands in, and what may stand there, for messages.
struct AddressKey {
  const char *name, *forms;
};

// Reads an address such as "127.0.0.1:8080". `port` is that of one that names none; none: each has
// to name one. Throws std::runtime_error that quotes what is wrong and says what to write.
HttpAddress addressOf(const std::string &text, std::optional<std::uint16_t> port,
                      const AddressKey &key);

// Whether no other machine can reach it. A name that is not localhost may be anything.
bool isLoopback(const HttpAddress &address);

// The URL of a path at an address that is no unix socket.
std::string urlOf(const HttpEndpoint &endpoint, const std::string &path);

} // namespace skillhost
