// SPDX-License-Identifier: Apache-2.0
// Timers: calls back at a moment of the monotonic clock, on a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace skillhost {

class Timer {
public:
  using Clock = std::chrono::steady_clock;

  Timer() = default;
  // Drops what has not fired.
  ~Timer();
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

  // The callback must be short and must not throw. The thread starts with the first timer.
  void after(std::chrono::milliseconds span, std::function<void()> callback);

private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::multimap<Clock::time_point, std::function<void()>> due_;
  bool ending_ = false;
  std::thread thread_;
};

} // namespace skillhost
