// SPDX-License-Identifier: Apache-2.0
// One question to the other replicas, from when it is asked until each of them has answered or was
// waited for long enough.
#pragma once

#include "gathering/usage_gathering.hpp"
#include "messages.hpp"
#include "replica_list.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skillhost {

// What came of it.
struct GatheredUsage {
  struct Other {
    std::string replica;
    std::string file;      // by its answer; without one, by the list of replicas
    bool isThere = false;  // it has answered, and all of the answer came
    std::string why;       // it did not
    std::size_t cells = 0; // the place of its answer among `cells`; beyond them: it adds nothing
  };
  std::string ownFile;
  std::vector<Other> others;
  std::shared_ptr<const std::vector<UsageCells>> cells;
  std::string problem; // why it is not known who is there; empty: it is
};

// Any thread.
class UsageAsking : public std::enable_shared_from_this<UsageAsking> {
public:
  // `done` hears once, on the thread that brings the last of it, or that of end().
  UsageAsking(std::shared_ptr<SharedState> state, std::shared_ptr<ReplicaList> replicas,
              UsageAsk ask, const GatheringRules &rules, std::function<void(GatheredUsage)> done)
      : state_(std::move(state)), replicas_(std::move(replicas)), ask_(std::move(ask)),
        rules_(rules), done_(std::move(done)) {}

  const UsageAsk &question() const noexcept { return ask_; }
  void begin();
  void told(const UsageTold &told);
  // No longer waits for those that have not said a word.
  void passOverSilent();
  // Without those that have not answered yet.
  void end();

private:
  enum class Stage : std::uint8_t { Asked, Reading, Fetching, There, Failed };
  struct Other {
    Stage stage = Stage::Asked;
    std::string file, bytes, why;
    std::size_t parts = 0, wanted = 0; // of the answer; bytes
  };
  static bool isOpen(Stage stage) noexcept {
    return stage == Stage::Asked || stage == Stage::Reading || stage == Stage::Fetching;
  }
  void listed(const ReplicaList::Known &known);
  void fetch(const std::string &from, std::size_t part);
  bool fetched(const std::string &from, const Result<std::optional<std::string>> &part);
  void settle();
  void finish(); // without the lock

  const std::shared_ptr<SharedState> state_;
  const std::shared_ptr<ReplicaList> replicas_;
  const UsageAsk ask_;
  const GatheringRules rules_;
  const std::function<void(GatheredUsage)> done_;
  std::mutex mutex_;
  std::map<std::string, Other> others_; // under the lock, as what follows
  std::string problem_;
  bool listed_ = false, over_ = false, passesOver_ = false;
  std::size_t bytes_ = 0; // of all answers, as they were announced
};

} // namespace skillhost
