// SPDX-License-Identifier: Apache-2.0
// Interprets a provider's answer about a token.
#pragma once

#include "ground/json.hpp"
#include "http/client.hpp"
#include "settings.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace skillhost::oauth {

// True if the text has the form of an access token (RFC 6750 section 2.1) and at most 16 KiB. Other
// texts are not sent to the provider.
bool couldBeToken(std::string_view token);

// Returns the claims of an active token. Throws skh::Error(SKH_DENIED) if the provider denies it,
// and skh::Error(SKH_UNAVAILABLE) if the answer is unusable or the provider refuses this client.
// `endpoint` is for messages.
Json claimsOf(const http::Response &response, Form form, const std::string &endpoint);

} // namespace skillhost::oauth
