// SPDX-License-Identifier: Apache-2.0
// Holds the content of an index in memory and in the cache directory. Only the follower's thread
// (remote/follower.hpp) may call it, except for read() and isServing().
#pragma once

#include "artefact.hpp"
#include "snapshot.hpp"
#include "state_file.hpp"

#include "objects/object_folder.hpp"
#include "remote/findings_log.hpp"
#include "remote/snapshot_mirror.hpp"

#include <atomic>
#include <map>

namespace skillhost::well_known {

using History = snapshots::History<Snapshot>;

class Mirror final : public remote::SnapshotMirror<Snapshot> {
public:
  Mirror(skh::Host host, const Settings &settings, History &history);

  void load() override;
  // Makes one request if nothing is new; otherwise it also fetches the artefacts with new digests.
  // A skill that cannot be fetched stays as it was. The other skills are ready to be published
  // before this throws for the failed ones.
  void refresh(remote::Operation &operation, const std::function<void()> &publishNow) override;
  // Removes files from the cache that are no longer used.
  void tidy(const remote::Checkpoint &checkpoint) override;
  std::string serving() const override;
  std::int64_t checked() const override { return state_.checked; }

  // Returns the files of the skill. Throws skh::Error(SKH_UNAVAILABLE) if they are missing or
  // damaged in the cache; the next refresh then fetches them again. Any thread may call it.
  ArtefactPointer read(const StoredSkill &skill);

private:
  struct RefreshState; // state of one refresh

  remote::Fetched fetchIndex(const std::string &url, const std::string &etag,
                             remote::Operation &operation);
  bool readIndexInto(RefreshState &state, remote::Operation &operation);
  void planFetches(RefreshState &state);
  void fetchMissing(RefreshState &state, remote::Operation &operation);
  void acceptFetched(RefreshState &state, std::size_t which, const remote::Fetched &fetched);
  void gather(RefreshState &state, std::size_t which, remote::Fetched fetched);
  void acceptFailure(RefreshState &state, const IndexEntry &entry, const remote::Fetched &fetched);
  void acceptBytes(RefreshState &state, const IndexEntry &entry, const std::string &bytes);
  void keepPrevious(RefreshState &state, const IndexEntry &entry);
  void finishRefresh(RefreshState &state);
  void rejectSkill(RefreshState &state, const IndexEntry &entry, const std::string &why);

  const Settings &settings_;
  objects::ObjectFolder folder_;
  Unpacked unpacked_;
  remote::Fetcher fetcher_;
  State state_;
  bool needsTidy_ = false; // a refresh has ended since the last tidy()
  // The next refresh begins after this skill, at which a server asked for a pause. Empty: it begins
  // with the first skill.
  std::string resumeAfter_;
  remote::FindingsLog findings_;
  std::atomic<bool> needsRefetch_{false}; // a file of the cache must be fetched again
};

} // namespace skillhost::well_known
