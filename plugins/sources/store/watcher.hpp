// SPDX-License-Identifier: Apache-2.0
// The thread that notices when somebody has changed a store: by inotify, and by the clock for file
// systems that it tells nothing about.
#pragma once

#include "ground/descriptor.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace skillhost::store_source {

class Watcher {
public:
  // Starts the thread, which calls `noticed` once it is quiet again. Throws skh::Error.
  Watcher(std::string directory, std::chrono::milliseconds interval, std::function<void()> noticed);
  // Ends it.
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
  std::thread thread_; // last: all else is there before it starts
};

} // namespace skillhost::store_source
