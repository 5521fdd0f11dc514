// SPDX-License-Identifier: Apache-2.0
// deadline: a call whose deadline passes must return soon as well.
#include "cases.hpp"
#include "punctual.hpp"

namespace skillhost::check {

void checkDeadline(Probe &probe) {
  checkPunctual(probe, "out of time",
                [](StandInCall::Clock::time_point when) { return StandInCall(when); });
}

} // namespace skillhost::check
