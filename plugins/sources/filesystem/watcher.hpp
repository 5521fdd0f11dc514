// SPDX-License-Identifier: Apache-2.0
// A thread that waits for changes from inotify, or looks at regular intervals if it must poll.
#pragma once

#include "checkpoint.hpp"
#include "debounce.hpp"
#include "watches.hpp"

#include <thread>

namespace skillhost::filesystem {

class Watcher {
public:
  // The thread calls these. They must not throw, except what the checkpoint throws.
  struct Tasks {
    std::function<void()> onChange; // called at once after a change
    // Called when it is quiet again, and when polling.
    std::function<void(const Checkpoint &)> onQuiet;
  };

  // Starts the thread. `watches` must outlive it. Throws skh::Error if that fails.
  Watcher(const Settings &settings, Watches &watches, Tasks tasks);
  // Ends the thread, also during onQuiet(), through its checkpoint.
  ~Watcher();
  Watcher(const Watcher &) = delete;
  Watcher &operator=(const Watcher &) = delete;

  // Makes the thread notice that polling() of the watches has changed. Any thread may call it.
  void wake() noexcept;
  // Makes the thread call onQuiet() after `time` and the usual quiet, as if a change had been
  // noticed then. Any thread may call it.
  void scheduleQuiet(std::chrono::steady_clock::duration time) noexcept;

private:
  using Time = std::chrono::steady_clock::time_point;
  struct Stopped {};

  void run();
  void runUntilStopped(); // throws Stopped
  std::optional<Time> nextTime() const;
  void wait(const std::optional<Time> &until);
  bool due(Time now) const;

  Watches &watches_;
  Tasks tasks_;
  std::chrono::milliseconds pollInterval_;
  Descriptor wakeUp_;
  std::atomic<bool> stopping_ = false;
  std::atomic<Time> scheduledAt_ = Time::max(); // time set by scheduleQuiet()
  Debounce debounce_;                           // this and the next: only for the thread
  Time lastLook_;
  std::thread thread_; // last, because it uses the other members
};

} // namespace skillhost::filesystem
