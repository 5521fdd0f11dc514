// SPDX-License-Identifier: Apache-2.0
// Answers questions about the figures on a thread of its own, one after another: those who serve do
// not wait for the disk.
#pragma once

#include "ground/result.hpp"

#include <functional>
#include <memory>

namespace skillhost {

struct UsageTask {
  std::function<bool()> isEnough; // nobody waits any more
  // Reads and answers, on the thread of the reader; what it is given says when to give up.
  std::function<void(const std::function<bool()> &isEnough)> read;
  std::function<void(Failure)> refuse; // in place of `read`
};

// Any thread.
class UsageReader {
public:
  UsageReader();
  // Gives up what it reads; what waits is refused with Cancelled. May be called by an answer.
  ~UsageReader();
  UsageReader(const UsageReader &) = delete;
  UsageReader &operator=(const UsageReader &) = delete;

  // Refused at once, with Unavailable, when many wait.
  void ask(UsageTask task);

private:
  struct Shared; // with the thread, which may outlive this by a moment
  const std::shared_ptr<Shared> shared_;
};

} // namespace skillhost
