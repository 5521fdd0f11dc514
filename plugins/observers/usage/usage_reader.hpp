// SPDX-License-Identifier: Apache-2.0
// Answers questions about the figures on a thread of its own, one after the other, so that threads
// that serve requests do not wait for the disk.
#pragma once

#include "ground/result.hpp"

#include <functional>
#include <memory>

namespace skillhost {

struct UsageTask {
  std::function<bool()> isEnough; // true if nobody waits any more
  // Reads and answers on the thread of the reader. Its argument says when to give up.
  std::function<void(const std::function<bool()> &isEnough)> read;
  std::function<void(Failure)> refuse; // called in place of `read`
};

// Any thread.
class UsageReader {
public:
  UsageReader();
  // Cancels the running read; waiting tasks are refused with Cancelled. An answer may destroy the
  // reader.
  ~UsageReader();
  UsageReader(const UsageReader &) = delete;
  UsageReader &operator=(const UsageReader &) = delete;

  // Refuses the task at once, with Unavailable, if many are waiting.
  void ask(UsageTask task);

private:
  struct Shared; // shared with the thread, which may outlive the reader for a moment
  const std::shared_ptr<Shared> shared_;
};

} // namespace skillhost
