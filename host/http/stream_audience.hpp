// SPDX-License-Identifier: Apache-2.0
// Describes for whom the messages of a stream were made. A client that resumes the stream must be
// allowed to see as much.
#pragma once

#include "access/access.hpp"
#include "access/visibility.hpp"

namespace skillhost {

struct StreamAudience {
  Visibility::Key key{}; // the rules of visibility that the caller satisfies
  // The caller may manage the server, or the stream contains messages about that.
  bool manages = false;

  // Returns true if everything that was made for `other` may be sent to this caller. The keys have
  // to be equal: a caller who satisfies more rules sees other things, too, so a list for one key is
  // wrong for another.
  bool mayReceive(const StreamAudience &other) const {
    return key == other.key && (manages || !other.manages);
  }
};

// If `access` is null, callers are not identified and may do everything.
inline StreamAudience streamAudienceOf(const Access *access, const PrincipalPointer &principal) {
  if (access == nullptr) return {};
  return {access->visibility().keyOf(principal.get()),
          access->allows(Permission::Manage, principal.get())};
}

} // namespace skillhost
