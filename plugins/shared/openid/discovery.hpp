// SPDX-License-Identifier: Apache-2.0
// What an issuer publishes about itself (OpenID Connect Discovery 1.0, RFC 8414).
#pragma once

#include "ground/json.hpp"
#include "http/client.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace skillhost::openid {

// The JSON object of a 200 answer. Throws skh::Error(SKH_UNAVAILABLE) naming the address and what
// is wrong with the answer; and what Client::send() throws.
Json jsonAnswer(const http::Response &response, const std::string &url);

// Asks at ISSUER/.well-known/openid-configuration and, where that is not there, at the place of RFC
// 8414. Whoever answers must say that it is that very issuer. Throws skh::Error(SKH_UNAVAILABLE).
Json discover(const skh::Call &call, http::Client &client, const std::string &issuer);

// An address from such a document. Throws skh::Error(SKH_UNAVAILABLE) when it is no allowed one;
// empty when it is not there.
std::string endpoint(const Json &metadata, const char *name);

} // namespace skillhost::openid
