// SPDX-License-Identifier: Apache-2.0
// Declares the parts of the check "state".
#pragma once

#include "state_calls.hpp"

#include <functional>

namespace skillhost::check {

// Returns the deadline for slow events such as an expiry. It is well before the time limit of the
// check.
StandInCall::Clock::time_point stateDeadline();

// Fails unless `status` is `wanted`. `callName` names the call in the message: "put()".
void expectStatus(const StateUser &user, skh_status status, skh_status wanted,
                  const std::string &callName);
// Fails unless get() of `key` returns `value`, or finds nothing if `value` is nullopt. `when`
// follows the key in the message, such as "after put()".
void expectValue(StateUser &user, const std::string &key, std::optional<std::string_view> value,
                 const std::string &when);

void checkStateValues(StateUser &user);
void checkStateCounters(StateUser &user);
void checkStateLimits(StateUser &user);
void checkStateMessages(StateUser &user);
// Checks two instances with one configuration.
void checkStateShared(StateUser &one, StateUser &other);

} // namespace skillhost::check
