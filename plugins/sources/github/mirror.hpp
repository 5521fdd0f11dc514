// SPDX-License-Identifier: Apache-2.0
// What is known of the remote, in memory and in the cache directory. All but read() and distrust()
// is for the one thread that refreshes.
#pragma once

#include "cache_folder.hpp"
#include "entry_texts.hpp"
#include "marketplace_stores.hpp"
#include "settings.hpp"
#include "snapshot.hpp"
#include "snapshot_builder.hpp"
#include "state_file.hpp"
#include "update.hpp"

#include "api/budget.hpp"
#include "git/object_store.hpp"
#include "remote/findings_log.hpp"
#include "remote/operation.hpp"

#include <chrono>
#include <functional>
#include <map>

namespace skillhost::github {

class MarketplaceFetch;

class Mirror {
public:
  using Sink = std::function<void(std::string_view)>;

  Mirror(skh::Host host, const Settings &settings);

  // Opens the cache: what was served last time, or nullptr when nothing usable is there.
  SnapshotPointer load();
  // Nobody need ask the remote: the pinned commit is served.
  bool isSettled() const;
  // Asks the remote. The new snapshot, or nullptr when it is the one that is known. Throws
  // skh::Error, RemoteError when the remote is to blame; what was known stays.
  SnapshotPointer refresh(remote::Operation &operation);
  // Asks the repositories that marketplace plugins are taken from, after refresh(): it has a
  // deadline of its own, and what could not be had is told and left as it was. As refresh() in the
  // rest. Throws when one cannot be had only where a lock is made or kept.
  SnapshotPointer refreshMarketplace(remote::Operation &operation);
  // Unix seconds of the remote's last answer; 0 when there was none.
  std::int64_t checked() const noexcept { return state_.checked; }
  const std::string &commit() const noexcept { return state_.commit; }
  // What the API said of its budget; null when it was not asked.
  const Budget *budget() const noexcept { return budget_ ? &*budget_ : nullptr; }

  // Writes down what the newest snapshot holds, unless that is on disk already, so that the next
  // start has it at once. Throws nothing: what it costs to have failed is that start's time.
  void keep(const std::function<void()> &checkpoint);

  // Makes one pack of many, when there are many. Throws nothing, as above.
  void tidy(const std::function<void()> &checkpoint);

  // Any thread. A document of the repository that Origin::repository names, as ObjectStore::read()
  // has it. What turns out to be damaged is begun anew: our own at the next start.
  void read(const std::string &repository, const std::string &blob, const Sink &sink);

private:
  void distrust();
  void readStored(const std::string &repository, const std::string &blob, const Sink &sink);
  SnapshotPointer takeKept();
  Update askRemote(remote::Operation &operation);
  struct LfsWanted;
  LfsWanted missingLfs();
  SnapshotPointer fetchLfs(remote::Operation &operation);
  void askMarketplace(State &state, remote::Operation &operation);
  std::string marketplaceCommit(const MarketplaceCommit &known, std::size_t index,
                                MarketplaceFetch &fetch);
  SnapshotPointer adopt(State state, const std::function<void()> &checkpoint);
  SnapshotPointer build(State &state, const std::function<void()> &checkpoint);
  void sayFindings();                      // of the newest
  bool hasAllMarketplace() const noexcept; // every marketplace plugin that may be served
  bool isWhole() const;
  bool awaitsLfs() const; // a file of Git LFS is missing that may come
  bool losesMarketplace(const State &before) const;
  void knowBudget(const std::string &token);
  std::string agent() const;
  Update askGit(remote::Operation &operation);
  Update askApi(const Access &access, remote::Operation &operation);
  std::string layoutText() const;

  skh::Host host_;
  const Settings &settings_;
  CacheFolder folder_;
  ObjectStore store_;
  MarketplaceStores marketplace_;
  State state_;
  std::optional<Budget> budget_;
  bool byApi_;           // the remote is asked by GitHub's API
  bool isOpen_ = false;  // the store
  bool isSpent_ = false; // git used up what this refresh may cost: nothing more is charged to it
  SnapshotBuilder builder_;
  Access access_; // of the look that goes on
  EntryTexts entries_;
  SnapshotPointer newest_;
  std::vector<std::string> findings_; // of the newest
  bool isKept_ = false;               // the newest, on disk
  SnapshotPointer held_;              // to be served once marketplace plugins have been asked
  std::size_t turn_ = 0;              // of the marketplace plugin that is asked first
  std::map<std::string, std::chrono::steady_clock::time_point> notBefore_; // by its url
  remote::Operation::Clock::time_point lfsNotBefore_{}; // no file of Git LFS is asked for before
  std::string lfsEndedAt_; // the pointer at which their server had been asked too often; "": none
  remote::FindingsLog findingsLog_, contentLog_; // the latter: what strangers can cause
  std::mutex stateMutex_;                        // of the state file and the flag
  bool isDamaged_ = false;
};

} // namespace skillhost::github
