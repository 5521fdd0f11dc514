// SPDX-License-Identifier: Apache-2.0
// For whom the messages of a stream were made: who asks for them again must be allowed as much.
#pragma once

#include "access/access.hpp"
#include "access/visibility.hpp"

namespace skillhost {

struct StreamAudience {
  Visibility::Key key{}; // which rules of visibility it satisfies
  bool manages = false;  // it may do what manages the server, or was told of that

  // Whether all that was made for `other` may be heard. Who satisfies more rules sees other things
  // too, so that a list made for one of the two is wrong for the other.
  bool mayHear(const StreamAudience &other) const {
    return key == other.key && (manages || !other.manages);
  }
};

// Null: nobody is asked who it is, and all may do all.
inline StreamAudience streamAudienceOf(const Access *access, const PrincipalPointer &principal) {
  if (access == nullptr) return {};
  return {access->visibility().keyOf(principal.get()),
          access->allows(Need::Manage, principal.get())};
}

} // namespace skillhost
