// SPDX-License-Identifier: Apache-2.0
// What each method, tool and resource asks of who uses it.
#pragma once

#include "access/principal.hpp"
#include "ground/json.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Of the scopes. The second includes the first. Empty: whoever the provider knows has it.
struct ScopeNames {
  std::string read = "skills:read";
  std::string manage = "skills:manage";
};

enum class Need : std::uint8_t { Nothing, Read, Manage };

class Permissions {
public:
  using Scopes = std::vector<std::string>;

  explicit Permissions(ScopeNames names = {}) : names_(std::move(names)) {}

  // What a request needs. A method that nobody knows needs Read: only what opens a conversation and
  // keeps it alive needs nothing. `params` is an object.
  static Need need(std::string_view method, const Json &params);
  // The scopes it needs, for the challenge: all at once.
  Scopes needed(std::string_view method, const Json &params) const;
  // Those that the principal lacks; empty: it may. Null has none.
  Scopes missing(std::string_view method, const Json &params, const Principal *principal) const;
  // Every scope there is to ask for.
  Scopes all() const { return names(Need::Manage); }

private:
  Scopes names(Need need) const;
  const ScopeNames names_;
};

} // namespace skillhost
