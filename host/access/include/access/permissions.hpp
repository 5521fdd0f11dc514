// SPDX-License-Identifier: Apache-2.0
// Which scopes a request needs, and which a principal lacks.
#pragma once

#include "access/principal.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// Of the scopes. The second includes the first. Empty: whoever the provider knows has it.
struct ScopeNames {
  std::string read = "skills:read";
  std::string manage = "skills:manage";
};

// What something asks of who uses it. The tables that name the methods and the tools say it for
// each.
enum class Need : std::uint8_t { Nothing, Read, Manage };

class Permissions {
public:
  using Scopes = std::vector<std::string>;

  explicit Permissions(ScopeNames names = {}) : names_(std::move(names)) {}

  // For the challenge: all at once.
  Scopes needed(Need need) const;
  // Those that the principal lacks; empty: it may. Null has none.
  Scopes missing(Need need, const Principal *principal) const;
  // Every scope there is to ask for.
  Scopes all() const { return needed(Need::Manage); }

private:
  const ScopeNames names_;
};

} // namespace skillhost
