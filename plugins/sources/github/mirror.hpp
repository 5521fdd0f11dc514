// SPDX-License-Identifier: Apache-2.0
// What is known of the remote, in memory and in the cache directory. All but store() and distrust()
// is for the one thread that refreshes.
#pragma once

#include "cache_folder.hpp"
#include "settings.hpp"
#include "snapshot.hpp"
#include "state_file.hpp"
#include "update.hpp"

#include "api/budget.hpp"
#include "git/object_store.hpp"
#include "network/operation.hpp"

#include <set>
#include <unordered_map>

namespace skillhost::github {

class Mirror {
public:
  Mirror(skh::Host host, const Settings &settings);

  // Opens the cache: what was served last time, or nullptr when nothing usable is there.
  SnapshotPointer load();
  // Nobody need ask the remote: the pinned commit is served.
  bool isSettled() const noexcept;
  // Asks the remote. The new snapshot, or nullptr when it is the one that is known. Throws
  // skh::Error, RemoteError when the remote is to blame; what was known stays.
  SnapshotPointer refresh(Operation &operation);
  // Unix seconds of the remote's last answer; 0 when there was none.
  std::int64_t checked() const noexcept { return state_.checked; }
  const std::string &commit() const noexcept { return state_.commit; }
  // What the API said of its budget; null when it was not asked.
  const Budget *budget() const noexcept { return budget_ ? &*budget_ : nullptr; }

  // These two from any thread. What is stored has turned out to be damaged: the next start begins
  // anew.
  ObjectStore &store() noexcept { return store_; }
  void distrust();

private:
  Update askRemote(Operation &operation);
  void knowBudget(const std::string &token);
  Update askApi(const Access &access, Operation &operation);
  SnapshotPointer build(const State &state, const std::function<void()> &checkpoint);
  void say(const std::string &text);

  skh::Host host_;
  const Settings &settings_;
  CacheFolder folder_;
  ObjectStore store_;
  State state_;
  std::optional<Budget> budget_;
  bool isOpen_ = false;                                  // the store
  std::unordered_map<std::string, std::uint64_t> sizes_; // of the blobs of the newest snapshot
  std::set<std::string> said_;
  std::mutex stateMutex_; // of the state file and the flag
  bool isDamaged_ = false;
};

} // namespace skillhost::github
