// SPDX-License-Identifier: Apache-2.0
// Timer: calls back at a moment of the monotonic clock, on its own thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

namespace skillhost {

class Timer {
public:
  using Clock = std::chrono::steady_clock;
  // Identifies one callback of this timer; a default ticket identifies none.
  struct Ticket {
    Clock::time_point due;
    std::uint64_t number = 0;
    friend bool operator<(const Ticket &a, const Ticket &b) noexcept {
      return a.due != b.due ? a.due < b.due : a.number < b.number;
    }
  };

  // Throws std::system_error if no thread can be started.
  Timer();
  // Drops the callbacks that have not fired, and waits for a running one, unless that one destroys
  // the timer.
  ~Timer();
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

  // The callback must be short and may throw only std::bad_alloc, after which it is soon called
  // again.
  Ticket at(Clock::time_point due, std::function<void()> callback);
  Ticket after(std::chrono::milliseconds span, std::function<void()> callback) {
    return at(Clock::now() + span, std::move(callback));
  }
  // Drops a callback and its captures. Returns false if it has fired, is firing, or was dropped
  // before.
  bool cancel(const Ticket &ticket);

private:
  class State; // shared with the thread, which ends by itself if it outlives the timer
  const std::shared_ptr<State> state_;
  std::thread thread_;
};

} // namespace skillhost
