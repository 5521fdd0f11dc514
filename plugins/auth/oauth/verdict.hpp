// SPDX-License-Identifier: Apache-2.0
// What a provider's answer about a token means.
#pragma once

#include "ground/json.hpp"
#include "http/client.hpp"
#include "settings.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace skillhost::oauth {

// Could it be an access token at all (RFC 6750 section 2.1), at most 16 KiB? What could not is
// nothing to bother a provider with.
bool couldBeToken(std::string_view token);

// The claims of a token that is good so far. Throws skh::Error(SKH_DENIED) when the provider says
// no, skh::Error(SKH_UNAVAILABLE) when it says nothing that can be used, or refuses us. `endpoint`
// is for messages.
Json claimsOf(const http::Response &response, Form form, const std::string &endpoint);

} // namespace skillhost::oauth
