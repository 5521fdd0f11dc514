// SPDX-License-Identifier: Apache-2.0
#include "runtime/shared_rates.hpp"

#include <string>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxAtOnce = 256;
constexpr std::chrono::minutes span{2}; // the length of one count

} // namespace

void exchangeRates(const std::shared_ptr<RateLimiter> &rates, SharedStore &state) {
  for (RateLimiter::Taken &one : rates->taken(maxAtOnce)) {
    std::string key = "rate/" + state.keyedDigest("rate", {one.principal});
    const std::int64_t tokens = one.tokens;
    state.add(std::move(key), tokens, span,
              [weak = std::weak_ptr<RateLimiter>(rates),
               takenUnits = std::move(one)](const Result<std::int64_t> &sum) {
                const auto known = weak.lock();
                if (!known) return;
                if (sum)
                  known->learn(takenUnits, *sum, span);
                else
                  known->forget(takenUnits);
              });
  }
}

} // namespace skillhost
