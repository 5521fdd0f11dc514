// SPDX-License-Identifier: Apache-2.0
// Shared by cancel and deadline: a call whose result is no longer wanted must return soon.
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
