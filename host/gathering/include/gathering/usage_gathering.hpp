// SPDX-License-Identifier: Apache-2.0
// The figures of use of all replicas, at any of them. Each records in a file of its own; nothing is
// shared until somebody asks.
#pragma once

#include "state/shared_state.hpp"
#include "usage/usage_recorder.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace skillhost {

struct GatheringRules {
  using Span = std::chrono::milliseconds;

  Span firstWord{3'000}; // who has not said by then that it reads is missing
  Span patience{20'000}; // for those that read, of one question
  Span renewal{20'000};  // how often each says that it is there
  Span absence{60'000};  // after so long without that it is gone
  Span kept{60'000};     // an answer, in the engine
  std::size_t mostBytes = std::size_t{32} << 20U;             // of an answer
  std::size_t mostOfAll = std::size_t{128} << 20U;            // of the answers to one question
  std::size_t partBytes = StateBackend::largestValue / 8 * 7; // an answer comes in values of that
};

// Who asks publishes the question; each of the others says that it reads, puts down what its file
// has, as cells that can be added up exactly, and says so. A replica that is known to be there, and
// does not answer in time, or answers with what cannot be read, is named as missing: unless its
// file is one that was counted, for replicas of one machine may share one.
//
// Who is there. A list of all replicas, and for each a value that ends by itself, so that no clock
// is compared with another one's. Any thread.
class UsageGathering {
public:
  // Says from now on that this replica is there, and answers the others.
  UsageGathering(std::shared_ptr<SharedState> state, std::shared_ptr<UsageRecorder> usage,
                 GatheringRules rules = {});
  ~UsageGathering(); // stop()
  UsageGathering(const UsageGathering &) = delete;
  UsageGathering &operator=(const UsageGathering &) = delete;

  // Is there no more, as far as the engine can be reached; who waits is answered with Cancelled.
  // Before the shared state is stopped, and not on a thread of its executor.
  void stop();

  // As UsageRecorder::summarize(), over all replicas. The answer has a member more: "replicas":
  // {"asked","answered","missing":[…]}, with the ids of those that are missing, and "problem" when
  // it is not known who is there. One question at a time: who asks meanwhile shares the next one.
  void summarize(UsageQuestion question, std::vector<ServedSkill> served, UsageOf of,
                 std::function<bool()> isEnough, std::function<void(Result<Json>)> answer);

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
