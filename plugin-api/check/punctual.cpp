// SPDX-License-Identifier: Apache-2.0
#include "punctual.hpp"

#include <algorithm>

namespace skillhost::check {
namespace {

using Clock = StandInCall::Clock;
using std::chrono::milliseconds;
constexpr milliseconds maxDelay{250};
constexpr int attempts = 3; // a busy machine may be late once

// Returns the delay of the call's return after `over`.
milliseconds lateness(Probe &probe, const Operation &operation, const std::string &how,
                      Clock::time_point over, const StandInCall &call) {
  probe.step(operation.name + ' ' + how);
  const Answer answer = operation.run(call);
  const auto late = std::chrono::duration_cast<milliseconds>(Clock::now() - over);
  if (!answer.fault.empty()) fail(how + ": " + answer.fault);
  const bool expected =
      answer.status == SKH_OK || answer.status == SKH_CANCELLED || answer.status == SKH_DEADLINE;
  if (operation.succeeds && !expected)
    probe.warn(operation.name + ' ' + how + " returns " + statusName(answer.status),
               "return SKH_CANCELLED, so that nobody takes it for a fault");
  return late;
}

} // namespace

void checkPunctual(Probe &probe, const std::string &how,
                   const std::function<StandInCall(Clock::time_point)> &make) {
  milliseconds worst{0};
  eachKnownInstance(probe, [&](Instance &instance) {
    for (const Operation &operation : operationsOf(probe, instance))
      for (const milliseconds begin : {milliseconds(0), milliseconds(10)}) {
        milliseconds best = milliseconds::max();
        for (int attempt = 0; attempt < attempts && best > maxDelay; ++attempt) {
          const Clock::time_point over = Clock::now() + begin;
          best = std::min(best, lateness(probe, operation, how, over, make(over)));
        }
        worst = std::max(worst, best);
        if (best > maxDelay)
          fail(operation.name + " comes back " + std::to_string(best.count()) +
                   " ms after it was " + how + "; 250 ms are allowed",
               "poll cancelled() at least every 50 ms of work and before every blocking step");
      }
  });
  probe.note("back within " + std::to_string(worst.count()) + " ms");
}

} // namespace skillhost::check
