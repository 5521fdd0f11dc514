// SPDX-License-Identifier: Apache-2.0
// Works with files on a thread of its own, so that no thread that answers requests waits for a
// disk. The owners of jobs take turns, so that nobody's many jobs delay those of others.
#pragma once

#include "ground/turns.hpp"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

namespace skillhost::inbox {

class FileWorker {
public:
  static constexpr std::size_t maxOwn = 8;       // jobs of one owner that wait
  static constexpr std::size_t many = 64;        // from here on, an owner has only one that waits
  static constexpr std::size_t maxWaiting = 256; // jobs of all

  FileWorker() = default;
  FileWorker(const FileWorker &) = delete;
  FileWorker &operator=(const FileWorker &) = delete;
  ~FileWorker() { stop(); }

  // Runs the job on the thread, which begins with the first job; jobs run one after another and
  // must not throw. Returns false if too many jobs of the owner or of all wait, or after stop().
  // Any thread.
  bool run(std::string_view owner, std::function<void()> job);
  // Waits for the running job, and drops the others. Not on the thread itself.
  void stop() noexcept;

private:
  void work();

  std::mutex mutex_;
  std::condition_variable arrived_;
  Turns<std::function<void()>> jobs_;
  bool stopped_ = false;
  std::thread thread_;
};

} // namespace skillhost::inbox
