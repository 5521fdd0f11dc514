// SPDX-License-Identifier: Apache-2.0
// Notifies the service manager of the start, of a reload and of the stop (sd_notify(3)), and that
// the server is alive (sd_watchdog_enabled(3)).
#pragma once

#include <chrono>
#include <string_view>

namespace skillhost {

// Sends `state` as in sd_notify(3): "STOPPING=1". Does nothing if no service manager listens.
void notifyServiceManager(std::string_view state) noexcept;

// Reports that a reload begins; notifyReady() reports its end.
void notifyReloading();

// Sends READY=1. `status` is for people; only its first line is sent.
void notifyReady(std::string_view status);

// Sends WATCHDOG=1 at half of the interval that the service manager expects, if it expects it from
// this process. WATCHDOG_USEC and WATCHDOG_PID are read by the constructor.
class ServiceWatchdog {
public:
  ServiceWatchdog();
  // The thread that is watched calls it; not several threads at once.
  void tick();

private:
  using Clock = std::chrono::steady_clock;
  Clock::duration interval_{0}; // 0: nobody expects it
  Clock::time_point next_;
};

} // namespace skillhost
