// SPDX-License-Identifier: Apache-2.0
// A caller as the auth provider knows it. Immutable once made.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace skillhost {

struct Principal {
  std::string subject, issuer; // the subject is unique within its issuer
  std::set<std::string, std::less<>> scopes;
  std::string claims;         // a JSON object, or empty
  std::int64_t expiresAt = 0; // Unix seconds; 0: unknown

  bool has(std::string_view scope) const { return scopes.contains(scope); }
};

// Null if callers are not identified.
using PrincipalPointer = std::shared_ptr<const Principal>;

} // namespace skillhost
