// SPDX-License-Identifier: Apache-2.0
// cancel: a call that is cancelled before it begins or in the middle must return soon.
#include "cases.hpp"
#include "punctual.hpp"

namespace skillhost::check {

void checkCancel(Probe &probe) {
  checkPunctual(probe, "cancelled",
                [](StandInCall::Clock::time_point when) { return StandInCall(patience(), when); });
}

} // namespace skillhost::check
