// SPDX-License-Identifier: Apache-2.0
// One rate limit over all replicas of a service, without a question for each request: each limits
// by what it knows, and they tell each other what they let through.
#pragma once

#include "plugin/shared_store.hpp"
#include "runtime/rate_limit.hpp"

#include <chrono>
#include <memory>

namespace skillhost {

// So long one replica knows nothing of what another one lets through, and by so much the limit may
// be exceeded.
inline constexpr std::chrono::milliseconds ratesInterval{200};

// Adds what was taken here to what all replicas took, of at most 256 principals, and has `rates`
// learn the sums as they come; nothing when nobody took anything. What the engine does not take
// stays with the limit of this replica. To be called every ratesInterval.
void exchangeRates(const std::shared_ptr<RateLimiter> &rates, SharedStore &state);

} // namespace skillhost
