// SPDX-License-Identifier: Apache-2.0
// Which scopes a request needs, and which a principal lacks.
#pragma once

#include "access/principal.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// Of the scopes. Each of the others includes the first. Empty: whoever the provider knows has it.
struct ScopeNames {
  std::string read = "skills:read";
  std::string manage = "skills:manage";
  std::string review{}; // empty: nobody has it, since nothing is reviewed
};

// What something asks of who uses it. The tables that name the methods and the tools say it for
// each.
enum class Need : std::uint8_t { Nothing, Read, Manage, Review };

class Permissions {
public:
  using Scopes = std::vector<std::string>;

  explicit Permissions(ScopeNames names = {}) : names_(std::move(names)) {}

  // For the challenge: all at once.
  Scopes needed(Need need) const;
  // Those that the principal lacks; empty: it may. Null has none.
  Scopes missing(Need need, const Principal *principal) const;
  // Whether there is a scope for reviewers, and the principal has it and may read.
  bool reviews(const Principal *principal) const {
    return !names_.review.empty() && principal != nullptr &&
           missing(Need::Review, principal).empty();
  }
  // Every scope there is to ask for.
  Scopes all() const;

private:
  const ScopeNames names_;
};

} // namespace skillhost
