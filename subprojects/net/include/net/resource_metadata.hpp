// SPDX-License-Identifier: Apache-2.0
// The metadata of this protected resource (RFC 9728): what the provider says, completed by what the
// host knows.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::size_t longestDescription = 64U << 10U; // bytes of what the provider says

// The document as JSON text. `described` is the provider's JSON object; resource and
// bearer_methods_supported are ours alone, scopes_supported holds its scopes and ours. Failure with
// InvalidFormat: no object, or a member that RFC 9728 names is of another type.
Result<std::string> resourceMetadata(std::string_view described, std::string_view resource,
                                     std::span<const std::string> scopes);

} // namespace skillhost
