// SPDX-License-Identifier: Apache-2.0
// Reads the metadata that an issuer publishes (OpenID Connect Discovery 1.0, RFC 8414).
#pragma once

#include "ground/json.hpp"
#include "http/client.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace skillhost::openid {

// Returns the JSON object of an answer with status 200. Throws skh::Error(SKH_UNAVAILABLE) that
// names the address and the fault.
Json jsonAnswer(const http::Response &response, const std::string &url);

// Asks at ISSUER/.well-known/openid-configuration and, if that is missing, at the address of RFC
// 8414. The answer must name exactly that issuer. Throws skh::Error(SKH_UNAVAILABLE).
Json discover(const skh::Call &call, http::Client &client, const std::string &issuer);

// Returns an address from such a document; empty if it is missing. Throws
// skh::Error(SKH_UNAVAILABLE) if the address is not allowed.
std::string endpoint(const Json &metadata, const char *name);

} // namespace skillhost::openid
