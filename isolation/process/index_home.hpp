// SPDX-License-Identifier: Apache-2.0
// Tracks which runner holds the index of a search instance. An index in memory is lost with its
// runner, and the writer must learn of that exactly once, by a change that fails.
#pragma once

#include "process/messages.hpp"

#include <skillhost/plugin.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost::process {

// Any thread may use it.
class IndexHome {
public:
  // Decides whether `operation` may go to this runner. SKH_STALE reports the loss to a writer,
  // whose next put starts a new index. generation() and held() also reveal the loss. Queries and
  // questions about them get SKH_UNAVAILABLE until everything is committed again.
  skh_status admit(Operation operation, std::uint64_t runner);
  // A put, remove or commit failed because its runner ended, so the writer knows of the loss.
  void onLossReported();
  void onCommitted(std::string_view generation);
  // A runner that reports the last committed generation has kept the index.
  void confirmGeneration(std::string_view generation);
  // The writer has listed the runner's entries, so it knows which are missing.
  void onEntriesListed();

private:
  std::mutex mutex_;
  std::uint64_t indexRunner_ = 0; // runner being filled or listed; 0: nothing was put yet
  bool isComplete_ = true;        // it holds everything that was committed
  bool isLossReported_ = false;   // the writer knows that indexRunner_ ended
  bool hasUncommitted_ = false;   // there are changes that were not committed
  std::string generation_;        // last committed generation
};

} // namespace skillhost::process
