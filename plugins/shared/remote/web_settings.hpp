// SPDX-License-Identifier: Apache-2.0
// Reads the keys that sources with a web address have in common. Every function throws
// skh::Error(SKH_INVALID) naming the wrong key.
#pragma once

#include "http_client/web_address.hpp"

#include <skillhost/config.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::remote {

// Reads an address of https, or of http to this machine, without user and password.
web::WebAddress readAddress(const std::string &key, const std::string &written);
// Reads `token`, a bearer token; "" if there is none.
std::string readToken(const skh::Config &config);
// Reads `token_command`, a program and its arguments; empty: none. It excludes `token`.
std::vector<std::string> readTokenCommand(const skh::Config &config, const std::string &token);
// Reads `refresh_minutes`.
std::chrono::milliseconds readInterval(const skh::Config &config, double defaultMinutes);
// Reads a number from 1 to `maximum`.
std::uint64_t readNumber(const skh::Config &config, const std::string &key, std::uint64_t fallback,
                         std::int64_t maximum);
// Returns the time after which an answer that stalls is given up, so that a few slow files do not
// take the time of all others.
std::chrono::seconds stallTimeoutFor(std::chrono::milliseconds deadline);

} // namespace skillhost::remote
