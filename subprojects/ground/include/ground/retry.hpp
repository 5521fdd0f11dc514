// SPDX-License-Identifier: Apache-2.0
// Tries something again after a pause, which is longer each time, until a try succeeds.
#pragma once

#include "ground/back_off.hpp"
#include "ground/timer.hpp"

#include <functional>
#include <memory>
#include <mutex>

namespace skillhost {

// Any thread.
class Retry {
public:
  // `again` is called on a thread of its own. Throws std::system_error if none can be started.
  Retry(BackOffRules pauses, std::function<void()> again);

  // Reports a failure: `again` is called once after the next pause, instead of any call that was
  // arranged before.
  void schedule();
  // Cancels the arranged call. The next pause is as long as it would have been.
  void drop();
  // Reports a success: cancels the arranged call, and the next pause is the first one again.
  void reset();
  // Ends for good: after it returns, no `again` runs or will run. Must not be called from within
  // `again`.
  void end();

private:
  void forget();

  const std::function<void()> again_;
  std::mutex mutex_;
  std::unique_ptr<Timer> timer_; // null after end()
  Timer::Ticket ticket_;
  BackOff pauses_;
};

} // namespace skillhost
