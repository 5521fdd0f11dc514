// SPDX-License-Identifier: Apache-2.0
// A thread that notices changes of a store, through inotify and, for file systems that inotify does
// not cover, at intervals.
#pragma once

#include "ground/descriptor.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace skillhost::store_source {

class Watcher {
public:
  // Starts the thread, which calls `noticed` when it is quiet again. Throws skh::Error.
  Watcher(std::string directory, std::chrono::milliseconds interval, std::function<void()> noticed);
  // Ends the thread.
  ~Watcher();
  Watcher(const Watcher &) = delete;
  Watcher &operator=(const Watcher &) = delete;

private:
  enum class Woken { ByTime, ByEvent, ToEnd };

  void run();
  Woken wait(std::chrono::milliseconds time);
  std::string state() const;

  const std::string directory_;
  const std::chrono::milliseconds interval_;
  const std::function<void()> noticed_;
  Descriptor inotify_, ending_;
  std::thread thread_; // last, because it uses the other members
};

} // namespace skillhost::store_source
