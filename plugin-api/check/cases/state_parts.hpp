// SPDX-License-Identifier: Apache-2.0
// The parts of the check "state".
#pragma once

#include "state_calls.hpp"

#include <functional>

namespace skillhost::check {

// Until when something that takes its time, such as an expiry, must have happened: well before the
// check itself has to be back.
StandInCall::Clock::time_point stateDeadline();

// Fails unless `status` is `wanted`; `what` was done.
void expectStatus(const StateUser &user, skh_status status, skh_status wanted,
                  const std::string &what);
// Fails unless that value is there; no value: unless there is none.
void expectValue(StateUser &user, const std::string &key, std::optional<std::string_view> value,
                 const std::string &when);

void checkStateValues(StateUser &user);
void checkStateCounters(StateUser &user);
void checkStateLimits(StateUser &user);
void checkStateMessages(StateUser &user);
// Of two instances with one configuration.
void checkStateShared(StateUser &one, StateUser &other);

} // namespace skillhost::check
