// SPDX-License-Identifier: Apache-2.0
// The value of WWW-Authenticate for a refused client (RFC 6750 section 3, RFC 9728 section 5.1).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skillhost {

struct Challenge {
  std::string_view resourceMetadata{}; // URL of the metadata document
  std::string_view error{};            // invalid_request, invalid_token, insufficient_scope
  // A sentence; characters that a field must not contain become spaces.
  std::string_view description{};
  std::span<const std::string> scopes{}; // all scopes that are needed
};

// Returns "Bearer resource_metadata="…", error="…", …"; empty members are left out. No value can
// end its quotes or the field.
std::string challengeText(const Challenge &challenge);

} // namespace skillhost
