// SPDX-License-Identifier: Apache-2.0
// The use that a call makes of a skill. The call's handler states it, and observers are notified of
// it once, when the call has its answer.
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
  // Counts unless the call fails; of static lifetime.
  std::string_view outcome = useDone;
  std::string asked{}; // the request that found nothing
};

// Notifies observers of a call that has ended; `fault` is set if it has failed. They are not
// notified of a call that used nothing, unless it was refused for how much its client asks. Any
// thread.
void notifyCallEnded(const Call &call, const std::optional<UseOfCall> &use,
                     std::optional<Fault> fault);

} // namespace skillhost
