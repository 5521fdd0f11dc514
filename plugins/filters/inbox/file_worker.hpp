// SPDX-License-Identifier: Apache-2.0
// A thread for work with files, so that no thread that answers requests waits for a disk.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace skillhost::inbox {

class FileWorker {
public:
  static constexpr std::size_t maxWaiting = 64; // jobs

  FileWorker() = default;
  FileWorker(const FileWorker &) = delete;
  FileWorker &operator=(const FileWorker &) = delete;
  ~FileWorker() { stop(); }

  // Runs the job on the thread, which begins with the first job; jobs run one after another and
  // must not throw. Returns false if too many jobs wait, or after stop(). Any thread.
  bool run(std::function<void()> job);
  // Waits for the running job, and drops the others. Not on the thread itself.
  void stop() noexcept;

private:
  void work();

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> jobs_;
  bool stopped_ = false;
  std::thread thread_;
};

} // namespace skillhost::inbox
