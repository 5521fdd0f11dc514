// SPDX-License-Identifier: Apache-2.0
// Checks that a call returns soon after it was cancelled or its deadline has passed. The checks
// cancel and deadline use it.
#pragma once

#include "operations.hpp"

#include <chrono>
#include <functional>

namespace skillhost::check {

// Runs every operation twice with a call from `make(when)`: one that ends before it begins, and one
// that ends 10 ms later. Fails if an operation has not returned 250 ms after that, three times in a
// row.
void checkPunctual(Probe &probe, const std::string &how,
                   const std::function<StandInCall(StandInCall::Clock::time_point)> &make);

} // namespace skillhost::check
