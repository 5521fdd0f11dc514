// SPDX-License-Identifier: Apache-2.0
// Another try after a while: later each time, until something goes well.
#pragma once

#include "ground/back_off.hpp"
#include "ground/timer.hpp"
#include "search/index.hpp"

#include <functional>
#include <memory>
#include <mutex>

namespace skillhost {

// Any thread.
class Retry {
public:
  // `again` is called on a thread of its own. Throws std::system_error when none can be started.
  Retry(BackOffRules pauses, std::function<void()> again);

  // Something failed: `again` is called after the next pause, once, whatever was arranged before.
  void arrange();
  // Nothing is to be tried any more for now; the next pause is as long as it would have been.
  void drop();
  // Something went well: as drop(), and the next pause is the first one.
  void reset();
  // For good: no `again` is under way or comes any more. Not from within `again`.
  void end();

private:
  void forget();

  const std::function<void()> again_;
  std::mutex mutex_;
  std::unique_ptr<Timer> timer_; // none: the end
  Timer::Ticket ticket_;
  BackOff pauses_;
};

} // namespace skillhost
