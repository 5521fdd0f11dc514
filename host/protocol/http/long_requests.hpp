// SPDX-License-Identifier: Apache-2.0
// The thread for requests that take long to read or to answer, so that they keep nobody who asks
// for little.
#pragma once

#include "base/http.hpp"
#include "base/turns.hpp"
#include "message.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

namespace skillhost {

// Whether the work for it grows with the number of skills or of their files: what is not kept ready
// for everybody.
bool isLong(const Message &request);

// Any thread. The thread is begun with the first job.
class LongRequests {
public:
  using Job = std::function<void()>; // what it throws is logged

  LongRequests() = default;
  ~LongRequests() { end(); }
  LongRequests(const LongRequests &) = delete;
  LongRequests &operator=(const LongRequests &) = delete;

  // What `exchange` needs, unless its client has gone by then. The jobs of a network (see
  // networkOf()) in order, one of each in turn; of one at most 64 wait. Why it was not taken;
  // empty: it was.
  std::string_view add(const std::shared_ptr<HttpExchange> &exchange, Job job);
  // Waits for the job under way; the others are let go of. Not on the thread of a job.
  void end();

private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  Turns<Job> jobs_;
  bool ended_ = false;
  std::thread thread_;
};

} // namespace skillhost
