// SPDX-License-Identifier: Apache-2.0
// The thread that reads large messages, so that they keep nobody who sends small ones.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace skillhost {

// Any thread. The thread is begun with the first job. How many jobs wait is bounded by the
// transport, which holds so many bytes of bodies and no more.
class LargeBodies {
public:
  using Job = std::function<void()>; // what it throws is logged

  LargeBodies() = default;
  ~LargeBodies() { end(); }
  LargeBodies(const LargeBodies &) = delete;
  LargeBodies &operator=(const LargeBodies &) = delete;

  // In order. False when it has ended, or no thread can be had: the job is not kept.
  bool add(Job job);
  // Waits for the job under way; the others are let go of. Not on the thread of a job.
  void end();

private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool ended_ = false;
  std::thread thread_;
};

} // namespace skillhost
