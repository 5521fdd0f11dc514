// SPDX-License-Identifier: Apache-2.0
// The thread that reads large messages, so that they keep nobody who sends small ones.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace skillhost {

// Any thread. The thread is begun with the first job.
class LargeBodies {
public:
  using Job = std::function<void()>; // what it throws is logged
  enum class Added : std::uint8_t { Yes, TooMany, NoThread, Ended };

  LargeBodies() = default;
  ~LargeBodies() { end(); }
  LargeBodies(const LargeBodies &) = delete;
  LargeBodies &operator=(const LargeBodies &) = delete;

  // The jobs of a peer in order, one of each peer in turn; a peer has at most 64. Only with Yes is
  // the job kept.
  Added add(std::string_view peer, Job job);
  // Waits for the job under way; the others are let go of. Not on the thread of a job.
  void end();

private:
  void work();
  Job next(); // under the lock, with a turn there

  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, std::deque<Job>, std::less<>> jobs_; // by peer; none is empty
  std::deque<std::string> turns_;                            // each of these peers once
  bool ended_ = false;
  std::thread thread_;
};

} // namespace skillhost
