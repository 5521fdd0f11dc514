// SPDX-License-Identifier: Apache-2.0
// Answers questions about the figures on a thread of its own, one after another: those who serve do
// not wait for the disk.
#pragma once

#include "usage/report.hpp"

#include <functional>
#include <memory>
#include <string>

namespace skillhost {

struct UsageTask {
  UsageQuestion question;
  std::vector<ServedSkill> served;
  UsageOf of = UsageOf::ServedAlone;
  std::function<bool()> isEnough; // nobody waits any more
  std::function<void(Result<Json>)> answer;
};

// Any thread.
class UsageReader {
public:
  explicit UsageReader(std::string path);
  // Gives up what it reads; what waits is answered with Cancelled. May be called by an answer.
  ~UsageReader();
  UsageReader(const UsageReader &) = delete;
  UsageReader &operator=(const UsageReader &) = delete;

  // The answer comes from the thread of the reader; at once, with Unavailable, when many wait.
  void ask(UsageTask task);

private:
  struct Shared; // with the thread, which may outlive this by a moment
  const std::shared_ptr<Shared> shared_;
};

} // namespace skillhost
