// SPDX-License-Identifier: Apache-2.0
// Declares the parts of the check "state".
#pragma once

#include "state_calls.hpp"

#include <functional>

namespace skillhost::check {

// Returns the time by which slow events such as an expiry must have happened. It is well before the
// end of the check itself.
StandInCall::Clock::time_point stateDeadline();

// Fails unless `status` is `wanted`. `what` describes what was done.
void expectStatus(const StateUser &user, skh_status status, skh_status wanted,
                  const std::string &what);
// Fails unless that value is stored. Without a value, fails unless none is stored.
void expectValue(StateUser &user, const std::string &key, std::optional<std::string_view> value,
                 const std::string &when);

void checkStateValues(StateUser &user);
void checkStateCounters(StateUser &user);
void checkStateLimits(StateUser &user);
void checkStateMessages(StateUser &user);
// Checks two instances with one configuration.
void checkStateShared(StateUser &one, StateUser &other);

} // namespace skillhost::check
