// SPDX-License-Identifier: Apache-2.0
// The id of a session contains the session: every holder of the key can open it from the id that
// the client sends, without a lookup. To the client it is an opaque text that only this service can
// make.
#pragma once

#include "ground/seal.hpp"
#include "rpc/client_capabilities.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct SessionIdentity {
  // Identifies the session for holders of the key: 32 hexadecimal digits, which reveal nothing
  // about its id.
  std::string name;
  std::int64_t issuedAt = 0; // Unix seconds
  // Lifetime of the id in seconds, by the limit of the replica that issued it. A replica that opens
  // the id uses the shorter of this and its own limit, so raising the limit later does not revive
  // an old id.
  std::int64_t lifetime = std::numeric_limits<std::int64_t>::max();
  CapabilityFlags capabilities = 0;
  std::string client; // the name that the client gave itself; empty if it gave none
};

// Any thread.
class SessionIds {
public:
  SessionIds(const Blake3Key &key, std::chrono::seconds maxAge);

  // Returns a name for a new session.
  static std::string newName();
  // Returns an id that only `owner` may use (empty: every holder of the id). It is visible ASCII of
  // at most `longest` bytes.
  std::string seal(const SessionIdentity &identity, std::string_view owner) const;
  // Returns nothing if the id was not sealed with this key for that owner, is too old at `now`
  // (Unix seconds), or was issued later than `now` plus the clock skew.
  std::optional<SessionIdentity> open(std::string_view id, std::string_view owner,
                                      std::int64_t now) const;
  // Returns the time (Unix seconds) from which the id is refused.
  std::int64_t endOf(const SessionIdentity &identity) const noexcept;
  // Returns an authentication code that only a holder of the key can make, of 32 hexadecimal
  // digits. `kind` separates different uses.
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
