// SPDX-License-Identifier: Apache-2.0
// What cancel and deadline have in common: a call whose result is no longer wanted comes back soon.
#pragma once

#include "operations.hpp"

#include <chrono>
#include <functional>

namespace skillhost::check {

// Runs every operation with a call of `make(when)`, that is over before it began and 10 ms after.
// Fails for one that is not back 250 ms after, three times in a row.
void checkPunctual(Probe &probe, const std::string &how,
                   const std::function<StandInCall(StandInCall::Clock::time_point)> &make);

} // namespace skillhost::check
