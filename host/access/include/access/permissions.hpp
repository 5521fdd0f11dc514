// SPDX-License-Identifier: Apache-2.0
// Says which scopes a request needs, and which of them a principal lacks.
#pragma once

#include "access/principal.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// The names of the scopes. `manage` and `review` include `read`. If `read` or `manage` is empty,
// every caller whom the provider knows has that permission.
struct ScopeNames {
  std::string read = "skills:read";
  std::string manage = "skills:manage";
  std::string review{};                // empty: nobody has it, because nothing is reviewed
  std::vector<std::string> features{}; // scopes that tools of features need beside `read`
};

// The permission that an operation needs. The tables of methods and tools set it for each of them.
enum class Permission : std::uint8_t { Nothing, Read, Manage, Review };

class Permissions {
public:
  using Scopes = std::vector<std::string>;

  explicit Permissions(ScopeNames names = {}) : names_(std::move(names)) {}

  // Returns all scopes that are needed, for the challenge.
  Scopes neededScopes(Permission need) const;
  // Returns the scopes that the principal lacks; empty if it may. A null principal has none.
  Scopes missingScopes(Permission need, const Principal *principal) const;
  // Returns true if there is a scope for reviewers and the principal has it.
  bool mayReview(const Principal *principal) const {
    return !names_.review.empty() && principal != nullptr &&
           missingScopes(Permission::Review, principal).empty();
  }
  // Returns every scope that a client can request.
  Scopes all() const;

private:
  const ScopeNames names_;
};

} // namespace skillhost
