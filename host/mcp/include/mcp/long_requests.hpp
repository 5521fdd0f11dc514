// SPDX-License-Identifier: Apache-2.0
// The thread for requests that take long to read or to answer, so that they keep nobody who asks
// for little.
#pragma once

#include "base/http.hpp"
#include "ground/turns.hpp"
#include "rpc/message.hpp"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace skillhost {

// Whether the work for it grows with the number of skills, of which there are `skills`, or of their
// files: what is not kept ready for everybody. A list of few skills is not long: to hand it to
// another thread would take as much again.
bool isLong(const Message &request, std::size_t skills);

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
  // empty: it was. `name`: see name(); empty: nobody cancels it.
  std::string_view add(const std::shared_ptr<HttpExchange> &exchange, Job job,
                       std::string name = {});
  // Of the request `id`, as JSON text, in a session of `owner`; empty: it is in none, or no `id`.
  static std::string name(std::string_view session, std::string_view owner, std::string_view id);
  // What the request of this name was taken for is let go of with its exchange, if it still waits.
  void cancel(const std::string &name);
  // Waits for the job under way; the others are let go of. Not on the thread of a job.
  void end();

private:
  struct Waiting {
    std::string name;
    Job job;
  };
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  Turns<Waiting> jobs_;
  bool ended_ = false;
  std::thread thread_;
};

} // namespace skillhost
