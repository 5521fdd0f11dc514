// SPDX-License-Identifier: Apache-2.0
// What a refused client is told: the value of WWW-Authenticate (RFC 6750 section 3, RFC 9728
// section 5.1).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skillhost {

struct Challenge {
  std::string_view resourceMetadata{};   // URL of the metadata document
  std::string_view error{};              // invalid_request, invalid_token, insufficient_scope
  std::string_view description{};        // a sentence; what no header may hold becomes a space
  std::span<const std::string> scopes{}; // every one that is needed
};

// "Bearer resource_metadata="…", error="…", …"; empty members are left out. No member can end its
// quotes or the header.
std::string challengeText(const Challenge &challenge);

} // namespace skillhost
