// SPDX-License-Identifier: Apache-2.0
#include "health.hpp"

#include <utility>

namespace skillhost::keyword {

void Health::tell(Part part, std::int32_t state, std::string why) {
  if (host_ == nullptr) return;
  const std::scoped_lock lock(mutex_);
  parts_[static_cast<std::size_t>(part)] = {state, std::move(why)};
  PartState all;
  for (const PartState &each : parts_) {
    if (each.state == SKH_HEALTHY) continue;
    // SKH_STARTING wins. A client that waits for the start sees the other faults afterwards.
    if (all.state != SKH_STARTING) all.state = each.state;
    all.why += (all.why.empty() ? "" : "; ") + each.why;
  }
  host_->tell(host_, all.state, skh::borrow(all.why));
}

} // namespace skillhost::keyword
