// SPDX-License-Identifier: Apache-2.0
// Tells the service manager how the start, a reload and the stop go (sd_notify(3)), and that the
// server still gets on with its work (sd_watchdog_enabled(3)).
#pragma once

#include <chrono>
#include <string_view>

namespace skillhost {

// `state` as in sd_notify(3): "STOPPING=1". Nothing happens when nobody has asked to be told.
void notifyServiceManager(std::string_view state) noexcept;

// Begins a reload, which notifyReady() ends.
void notifyReloading();

// READY=1; `status` is for people, of which the first line is told.
void notifyReady(std::string_view status);

// WATCHDOG=1 at half of the time that the service manager waits for it, when it does: of this
// process, by WATCHDOG_USEC and WATCHDOG_PID as they were when this was made.
class ServiceWatchdog {
public:
  ServiceWatchdog();
  // By the thread that must get on; not from several at once.
  void tick();

private:
  using Clock = std::chrono::steady_clock;
  Clock::duration interval_{0}; // 0: nobody waits
  Clock::time_point next_;
};

} // namespace skillhost
