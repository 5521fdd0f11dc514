// SPDX-License-Identifier: Apache-2.0
// The id of a session carries the session: whoever has the key opens it from the id that its client
// sends, without asking anybody. To the client it is a text that only this service can make.
#pragma once

#include "ground/seal.hpp"
#include "mcp/client_capabilities.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct SessionIdentity {
  // Identifies the session for whoever has the key: 32 hexadecimal digits, which say nothing of its
  // id.
  std::string name;
  std::int64_t issuedAt = 0; // Unix seconds
  // The id is too old after so many seconds for the replica that issued it. Whoever opens it takes
  // the shorter time: a limit that is raised later gives no id its life back.
  std::int64_t lifetime = std::numeric_limits<std::int64_t>::max();
  CapabilityFlags capabilities = 0;
  std::string client; // its name by its own word; empty: it has said none
};

// Any thread.
class SessionIds {
public:
  SessionIds(const Blake3Key &key, std::chrono::seconds maxAge);

  // Returns a name for a new session.
  static std::string newName();
  // `owner`: who may use it; empty: whoever has the id. Visible ASCII, at most `longest` bytes.
  std::string seal(const SessionIdentity &identity, std::string_view owner) const;
  // Returns nothing if the id was not sealed by this key for that owner, is too old at `now` (Unix
  // seconds), or comes from the future.
  std::optional<SessionIdentity> open(std::string_view id, std::string_view owner,
                                      std::int64_t now) const;
  // Returns the time (Unix seconds) from which the id is refused.
  std::int64_t endOf(const SessionIdentity &identity) const noexcept;
  // A code that only who has the key can make, of 32 hexadecimal digits. `kind` keeps uses apart.
  std::string code(std::string_view kind, std::string_view of, std::string_view name) const;

  static constexpr std::size_t longest = 1024;
  static constexpr std::int64_t clockSkew =
      300; // seconds that the clocks of two replicas may differ

private:
  const Blake3Key key_;
  const Seal seal_;
  const std::chrono::seconds maxAge_;
};

} // namespace skillhost
