// SPDX-License-Identifier: Apache-2.0
// cancel: a call that was given up, before it began or in the middle, comes back soon.
#include "cases.hpp"
#include "punctual.hpp"

namespace skillhost::check {

void checkCancel(Probe &probe) {
  checkPunctual(probe, "cancelled",
                [](StandInCall::Clock::time_point when) { return StandInCall(patience(), when); });
}

} // namespace skillhost::check
