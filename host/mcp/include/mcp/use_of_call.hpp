// SPDX-License-Identifier: Apache-2.0
// Describes what a call uses, for observers. The call's handler states it, and observers are
// notified once, when the call is finished.
#pragma once

#include "base/fault.hpp"
#include "plugin/use.hpp"
#include "skills/skill.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

class Call;

struct UseOfCall {
  UseKind kind = UseKind::Load;
  std::shared_ptr<const Skill> skill{}; // null: none, or none that exists
  // The digest of the loaded content, as the client gets it; null if nothing was loaded.
  std::shared_ptr<const std::string> digest{};
  std::string_view outcome = useDone; // has no effect if the call fails; of static lifetime
  std::string asked{};                // the question, if nothing was found for it
};

// Returns the name of the client, from the call or from the handshake of its session; cut.
std::string clientNameOf(const Call &call);

// Notifies observers of a call that has ended. `fault` is set if it has failed. They are not
// notified of a call that used nothing, unless it was refused because its client asks too often.
// Any thread.
void notifyCallEnded(const Call &call, const std::optional<UseOfCall> &use,
                     std::optional<Fault> fault);

} // namespace skillhost
