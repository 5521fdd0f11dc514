// SPDX-License-Identifier: Apache-2.0
// Holds what is known of the remote, in memory and in the cache directory. Only the refreshing
// thread may call it, except for read().
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

  // Opens the cache. Returns the snapshot that was served last, or nullptr if nothing usable is
  // there.
  SnapshotPointer load();
  // True if the remote need not be checked, because the pinned commit is served.
  bool isSettled() const;
  // Checks the remote. Returns the new snapshot, or nullptr if nothing changed. Throws skh::Error,
  // and RemoteError if the remote fails; the known state then stays.
  SnapshotPointer refresh(remote::Operation &operation);
  // Checks the repositories of marketplace plugins, after refresh(). It has a deadline of its own.
  // A plugin that cannot be fetched is reported and stays as it was; only if a lock is made or kept
  // does this throw. Otherwise it behaves as refresh().
  SnapshotPointer refreshMarketplace(remote::Operation &operation);
  // Unix seconds of the remote's last answer; 0 if there was none.
  std::int64_t checked() const noexcept { return state_.checked; }
  const std::string &commit() const noexcept { return state_.commit; }
  // Budget that the API reported; null if the API was not used.
  const Budget *budget() const noexcept { return budget_ ? &*budget_ : nullptr; }

  // Writes the newest snapshot to disk, unless it is there already, so that the next start has it
  // at once. It never throws, because a failure only costs that start some time.
  void saveSnapshot(const std::function<void()> &checkpoint);

  // Joins the packs if there are many. It never throws, for the same reason.
  void tidy(const std::function<void()> &checkpoint);

  // Any thread may call it. Reads a document from the repository that Origin::repository names, as
  // ObjectStore::read() does. A damaged store is replaced: our own at the next start, others at
  // once.
  void read(const std::string &repository, const std::string &blob, const Sink &sink);

private:
  SnapshotPointer refreshOpen(remote::Operation &operation);
  void markDamaged();
  void readStored(const std::string &repository, const std::string &blob, const Sink &sink);
  SnapshotPointer loadKeptSnapshot();
  // If the remote refuses an app's token, it is asked once more with a new one.
  Update fetchNewest(remote::Operation &operation);
  void takeAppToken(remote::Operation &operation); // does nothing without an app
  struct LfsWanted;
  LfsWanted missingLfs();
  SnapshotPointer fetchLfs(remote::Operation &operation);
  void checkMarketplace(State &state, remote::Operation &operation);
  std::string marketplaceCommit(const MarketplaceCommit &known, std::size_t index,
                                MarketplaceFetch &fetch);
  SnapshotPointer applyState(State state, const std::function<void()> &checkpoint);
  SnapshotPointer build(State &state, const std::function<void()> &checkpoint);
  void logFindings();                      // of the newest snapshot
  bool hasAllMarketplace() const noexcept; // true if every plugin that may be served is fetched
  bool hasPinnedCommits() const;
  bool isLfsPending() const; // true if a Git LFS file is missing that may become available
  bool dropsPlugins(const State &before) const;
  void selectBudget(const std::string &token);
  std::string agent() const;
  Update fetchByGit(remote::Operation &operation);
  Update fetchByApi(const Access &access, remote::Operation &operation);
  std::string layoutText() const;

  skh::Host host_;
  const Settings &settings_;
  CacheFolder folder_;
  ObjectStore store_;
  MarketplaceStores marketplace_;
  State state_;
  std::optional<Budget> budget_;
  bool usesApi_;        // use GitHub's API
  bool isOpen_ = false; // the store is open
  // The store was filled for another ref or pin, so damage in it is not known yet.
  bool isUnread_ = false;
  // Git has used up the cost of this refresh, so nothing more is charged to it.
  bool isLimitUsedUp_ = false;
  SnapshotBuilder builder_;
  Access access_; // of the running refresh
  std::optional<AppToken> appToken_;
  EntryTexts entries_;
  SnapshotPointer newest_;
  std::vector<std::string> findings_; // of the newest snapshot
  bool isSnapshotSaved_ = false;      // the newest snapshot is on disk
  SnapshotPointer pendingSnapshot_;   // waits to be served until marketplace plugins are checked
  std::size_t firstPlugin_ = 0;       // index of the marketplace plugin to check first
  std::map<std::string, std::chrono::steady_clock::time_point>
      pluginRetryAt_;                                 // by url of the plugin
  remote::Operation::Clock::time_point lfsRetryAt_{}; // no Git LFS file is requested before
  std::string lfsResumeAfter_; // pointer at which the server refused more requests; "": none
  remote::FindingsLog findingsLog_, contentLog_; // contentLog_: messages that strangers can cause
  std::mutex stateMutex_;                        // guards the state file and isDamaged_
  bool isDamaged_ = false;
};

} // namespace skillhost::github
