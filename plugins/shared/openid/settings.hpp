// SPDX-License-Identifier: Apache-2.0
// The settings that every plugin has which trusts an issuer. The schemas repeat them.
#pragma once

#include "http/client.hpp"
#include "openid/claims.hpp"
#include "openid/principal.hpp"

#include <skillhost/config.hpp>

namespace skillhost::openid {

// An address of the configuration: allowed, or empty when it is not there. Throws
// skh::Error(SKH_INVALID), as the others do, naming the key.
std::string urlSetting(const skh::Config &config, const std::string &key);
std::int64_t numberSetting(const skh::Config &config, const std::string &key, std::int64_t fallback,
                           std::int64_t least, std::int64_t most);

// ca_file, timeout_ms
http::Options clientSettings(const skh::Config &config, const skh::Host &host);
// issuer, audience, require_audience, leeway_seconds
ClaimRules claimSettings(const skh::Config &config);
// issuer, claims, cache_seconds
PrincipalRules principalSettings(const skh::Config &config);

// RFC 9728: authorization_servers, scopes_supported, bearer_methods_supported. The host adds
// `resource`.
std::string resourceMetadata(const skh::Config &config);

} // namespace skillhost::openid
