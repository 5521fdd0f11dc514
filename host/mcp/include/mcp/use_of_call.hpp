// SPDX-License-Identifier: Apache-2.0
// What a call is in the figures of use: whoever handles it says so, and it is recorded once, when
// the call has its answer.
#pragma once

#include "base/fault.hpp"
#include "skills/skill.hpp"
#include "usage/use.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

class Access;
class Call;
struct Services;

struct UseOfCall {
  UseKind kind = UseKind::Load;
  std::shared_ptr<const Skill> skill{}; // null: none, or none that there is
  // Of what was loaded, as its client is told it; null: nothing.
  std::shared_ptr<const std::string> digest{};
  // Unless the call fails; of static lifetime.
  std::string_view outcome = useDone;
  std::string asked{}; // what there is not
};

// For a call that has ended; `fault`: it has failed. Nothing when nothing was said of it, but for
// one that was refused for how much its client asks. Any thread.
void recordUse(const Call &call, const std::optional<UseOfCall> &use, std::optional<Fault> fault);

// From now on those whom `access` refuses are recorded too, on stdio and over HTTP alike. Before
// the first request.
void recordRefusals(Access &access, const Services &services);

} // namespace skillhost
