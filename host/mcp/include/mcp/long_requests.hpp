// SPDX-License-Identifier: Apache-2.0
// The thread for requests that take long to read or to answer. It keeps them off the thread that
// serves all connections.
#pragma once

#include "ground/turns.hpp"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

namespace skillhost {

// Any thread. The thread starts with the first job.
class LongRequests {
public:
  using Job = std::function<void()>; // an exception of it is logged

  LongRequests() = default;
  ~LongRequests() { end(); }
  LongRequests(const LongRequests &) = delete;
  LongRequests &operator=(const LongRequests &) = delete;

  // Queues `job` of `owner`, which names a client or its network. The jobs of one owner run in
  // order; owners take turns. Returns the reason if the job is refused, because maxWaiting jobs of
  // this owner wait already; otherwise an empty text.
  std::string_view add(std::string_view owner, Job job);
  // Returns true if it is called on this thread: then the caller need not queue a job.
  bool isItsThread() const noexcept;
  // Drops the waiting jobs and joins the thread. Must not be called on the thread of a job.
  void end();

  static constexpr std::size_t maxWaiting = 256;

private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  Turns<Job> jobs_;
  bool ended_ = false;
  std::thread thread_;
};

} // namespace skillhost
