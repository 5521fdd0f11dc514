// SPDX-License-Identifier: Apache-2.0
// What a call uses: its handler says so, and observers are told of it once, when the call has its
// answer.
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
  std::shared_ptr<const Skill> skill{}; // null: none, or none that there is
  // Of what was loaded, as its client is told it; null: nothing.
  std::shared_ptr<const std::string> digest{};
  // Unless the call fails; of static lifetime.
  std::string_view outcome = useDone;
  std::string asked{}; // what there is not
};

// Tells observers of a call that has ended; `fault`: it has failed. They are not told of a call
// that used nothing, unless it was refused for how much its client asks. Any thread.
void tellCallEnded(const Call &call, const std::optional<UseOfCall> &use,
                   std::optional<Fault> fault);

} // namespace skillhost
