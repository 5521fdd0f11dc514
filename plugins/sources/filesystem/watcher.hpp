// SPDX-License-Identifier: Apache-2.0
// The thread that waits for changes: of inotify, or of the clock when it has to poll.
#pragma once

#include "checkpoint.hpp"
#include "debounce.hpp"
#include "watches.hpp"

#include <thread>

namespace skillhost::filesystem {

class Watcher {
public:
  // Called by the watching thread; they must not throw, except what the checkpoint throws.
  struct Tasks {
    std::function<void()> noticed;                  // at once, when something has happened
    std::function<void(const Checkpoint &)> settle; // when it is quiet again, and when polling
  };

  // Starts the thread. `watches` must outlive it. Throws skh::Error when that cannot be done.
  Watcher(const Settings &settings, Watches &watches, Tasks tasks);
  // Ends the thread, also out of settle(), by way of its checkpoint.
  ~Watcher();
  Watcher(const Watcher &) = delete;
  Watcher &operator=(const Watcher &) = delete;

  // Lets the thread see that polling() of the watches has changed. Any thread.
  void wake() noexcept;
  // Has it settle after so long, and after the usual quiet, as if something had been noticed then.
  // Any thread.
  void lookIn(std::chrono::steady_clock::duration time) noexcept;

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
  std::atomic<Time> asked_ = Time::max(); // when lookIn() has it
  Debounce debounce_;                     // this and the next are the thread's
  Time lastLook_;
  std::thread thread_; // last: all else is there before it starts
};

} // namespace skillhost::filesystem
