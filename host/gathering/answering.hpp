// SPDX-License-Identifier: Apache-2.0
// Answers what other replicas ask, from the file of this one.
#pragma once

#include "gathering/usage_gathering.hpp"
#include "ground/guarded.hpp"
#include "messages.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace skillhost {

// Any thread.
class UsageAnswering : public std::enable_shared_from_this<UsageAnswering> {
public:
  UsageAnswering(std::shared_ptr<SharedState> state, std::shared_ptr<UsageRecorder> usage,
                 const GatheringRules &rules)
      : state_(std::move(state)), usage_(std::move(usage)), rules_(rules) {}

  // `ownFile`: the id of this replica's, as far as it is known.
  void answer(const UsageAsk &ask, const std::string &ownFile);
  // Nobody waits for the answer any more.
  void giveUp(const std::string &question);
  void giveUpAll();

private:
  struct Sending;
  void tell(const UsageTold &told);
  void fail(const std::string &question, std::string problem);
  void send(const std::shared_ptr<Sending> &sending);
  void drop(const Sending &sending);

  const std::shared_ptr<SharedState> state_;
  const std::shared_ptr<UsageRecorder> usage_;
  const GatheringRules rules_;
  // By question: whether it is over.
  Guarded<std::map<std::string, std::shared_ptr<std::atomic<bool>>>> open_;
};

} // namespace skillhost
