// SPDX-License-Identifier: Apache-2.0
// The newest snapshot and the last few that the host was given. Any thread.
#pragma once

#include "snapshot.hpp"

#include <deque>
#include <mutex>

namespace skillhost::well_known {

class History {
public:
  static constexpr std::size_t kept = 4; // snapshots given to the host

  SnapshotPointer newest() const; // nullptr before the first
  // True when the host was given another one before.
  bool add(SnapshotPointer snapshot);
  // The newest, which the host is about to be given.
  SnapshotPointer handOut();
  // One that was handed out; nullptr when it is not among the last few.
  SnapshotPointer find(std::string_view id) const;
  // The skill that has the document in this revision, in any snapshot kept; nullptr when there is
  // none. `knew` says whether there is a document of that name at all.
  SkillPointer find(std::string_view skill, std::string_view path, std::string_view revision,
                    bool &knew) const;
  std::vector<SnapshotPointer> all() const;

private:
  mutable std::mutex mutex_;
  SnapshotPointer newest_;
  std::deque<SnapshotPointer> handedOut_; // newest last, ids unique
};

} // namespace skillhost::well_known
