// SPDX-License-Identifier: Apache-2.0
// What an index offers, in memory and in the cache directory. All but read() and isServing() is for
// the one thread that follows it.
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
  // One request when nothing is new; else those artefacts whose digest is. A skill that cannot be
  // fetched now stays as it was; the others are made ready, and then this throws.
  void look(remote::Operation &operation, const std::function<void()> &publishNow) override;
  // Removes from the cache what nothing names any more.
  void tidy(const remote::Checkpoint &checkpoint) override;
  std::string serving() const override;
  std::int64_t checked() const override { return state_.checked; }

  // The files of the skill. Throws skh::Error(SKH_UNAVAILABLE) when they are no longer in the cache
  // or damaged there; then the next look fetches them again. Any thread.
  ArtefactPointer read(const StoredSkill &skill);

private:
  struct Round; // of one look

  bool readIndexInto(Round &round, remote::Operation &operation);
  void choose(Round &round);
  void fetchMissing(Round &round, remote::Operation &operation);
  void take(Round &round, std::size_t which, const remote::Fetched &fetched);
  void keepOld(Round &round, const IndexEntry &entry);
  void finish(Round &round);
  void refuse(Round &round, const IndexEntry &entry, const std::string &why);

  const Settings &settings_;
  objects::ObjectFolder folder_;
  Unpacked unpacked_;
  remote::Fetcher fetcher_;
  State state_;
  bool hasRead_ = false; // the index, since it was last tidied
  std::string endedAt_;  // the skill at which a server had been asked too often; "": none
  remote::FindingsLog findings_;
  std::atomic<bool> damaged_{false}; // something of the cache is to be fetched again
};

} // namespace skillhost::well_known
