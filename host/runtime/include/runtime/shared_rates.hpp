// SPDX-License-Identifier: Apache-2.0
// Applies one rate limit over all replicas of a service, without a question to the engine for each
// request: each replica limits by what it knows, and they report to each other what they let
// through.
#pragma once

#include "base/rate_limit.hpp"
#include "plugin/shared_store.hpp"

#include <chrono>
#include <memory>

namespace skillhost {

// The time between two exchanges. Until the next one, a replica does not know what the others let
// through, and by that much the limit may be exceeded.
inline constexpr std::chrono::milliseconds ratesInterval{200};

// Adds the tokens taken here, of at most 256 principals, to the sums of all replicas, and passes
// the sums to `rates` as they arrive. Does nothing if nobody took a token. Tokens that the engine
// does not accept count only in the limit of this replica. Call it every ratesInterval.
void exchangeRates(const std::shared_ptr<RateLimiter> &rates, SharedStore &state);

} // namespace skillhost
