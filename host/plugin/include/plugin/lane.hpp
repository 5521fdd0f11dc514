// SPDX-License-Identifier: Apache-2.0
// A lane: the few threads and the bounded queue on which one instance's plugin runs.
#pragma once

#include "base/result.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace skillhost {

class Lane {
public:
  using Job = std::function<void()>;

  // `threads` start when first needed; `capacity` jobs may wait.
  Lane(std::string name, std::size_t threads, std::size_t capacity);
  ~Lane();
  Lane(const Lane &) = delete;
  Lane &operator=(const Lane &) = delete;

  // False when the queue is full or the lane is ending: the job was not taken. Any thread.
  [[nodiscard]] bool post(Job job);
  // Takes no more jobs, runs what is queued, joins. The destructor does it too.
  void end();
  std::size_t threads() const noexcept { return limit_; }

private:
  void work();

  const std::string name_;
  const std::size_t limit_;
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> queue_;
  std::size_t idle_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

} // namespace skillhost
