// SPDX-License-Identifier: Apache-2.0
// Timers: calls back at a moment of the monotonic clock, on a thread of its own.
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
  // Names one callback of this timer; a default one names none.
  struct Ticket {
    Clock::time_point due;
    std::uint64_t number = 0;
    friend bool operator<(const Ticket &a, const Ticket &b) noexcept {
      return a.due != b.due ? a.due < b.due : a.number < b.number;
    }
  };

  // Throws std::system_error when no thread can be started.
  Timer();
  // Drops what has not fired, waits for what is firing: unless that is who destroys it.
  ~Timer();
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

  // The callback must be short and must not throw but std::bad_alloc: it is called again soon then.
  Ticket at(Clock::time_point due, std::function<void()> callback);
  Ticket after(std::chrono::milliseconds span, std::function<void()> callback) {
    return at(Clock::now() + span, std::move(callback));
  }
  // Drops a callback and what it holds. False when it has fired, is firing, or was dropped before.
  bool cancel(const Ticket &ticket);

private:
  class State; // the thread has a share in it, and ends by itself when it outlives the timer
  const std::shared_ptr<State> state_;
  std::thread thread_;
};

} // namespace skillhost
