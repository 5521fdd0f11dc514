// SPDX-License-Identifier: Apache-2.0
// The metadata of this protected resource (RFC 9728): the provider's members, completed by the
// host.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::size_t longestDescription = 64U << 10U; // bytes of the provider's text

// Returns the document as JSON text. `described` is the provider's JSON object. The host alone sets
// resource and bearer_methods_supported; scopes_supported contains the provider's scopes and those
// in `scopes`. Fails with InvalidFormat if `described` is no object, or if authorization_servers or
// scopes_supported is no list of strings.
Result<std::string> resourceMetadata(std::string_view described, std::string_view resource,
                                     std::span<const std::string> scopes);

} // namespace skillhost
