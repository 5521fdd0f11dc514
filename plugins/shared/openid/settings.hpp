// SPDX-License-Identifier: Apache-2.0
// Settings that all plugins with an issuer share. Their schemas repeat them.
#pragma once

#include "http/client.hpp"
#include "openid/claims.hpp"
#include "openid/principal.hpp"

#include <skillhost/config.hpp>

namespace skillhost::openid {

// Reads an allowed address from the configuration; empty if it is missing. Throws
// skh::Error(SKH_INVALID) naming the key, as the others do.
std::string urlSetting(const skh::Config &config, const std::string &key);
std::int64_t numberSetting(const skh::Config &config, const std::string &key, std::int64_t fallback,
                           std::int64_t minimum, std::int64_t maximum);

// Reads ca_file and timeout_ms.
http::Options clientSettings(const skh::Config &config, const skh::Host &host);
// Reads issuer, audience, require_audience and leeway_seconds.
ClaimRules claimSettings(const skh::Config &config);
// Reads issuer, claims and cache_seconds.
PrincipalRules principalSettings(const skh::Config &config);

// Returns metadata of RFC 9728: authorization_servers, scopes_supported and
// bearer_methods_supported. The host adds `resource`.
std::string resourceMetadata(const skh::Config &config);

} // namespace skillhost::openid
