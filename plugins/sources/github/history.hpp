// SPDX-License-Identifier: Apache-2.0
// The newest snapshot and the last few that the host was given. Any thread.
#pragma once

#include "snapshot.hpp"

#include <deque>
#include <mutex>

namespace skillhost::github {

class History {
public:
  static constexpr std::size_t kept = 4; // snapshots given to the host

  SnapshotPointer newest() const; // nullptr before the first
  void add(SnapshotPointer snapshot);
  // The newest, which the host is about to be given.
  SnapshotPointer handOut();
  // True when the host was given something, and that is not the newest.
  bool hasNews() const;
  // One that was handed out; nullptr when it is not among the last few.
  SnapshotPointer find(std::string_view id) const;
  // The document of this revision in any snapshot kept; nothing when there is none. `knew` says
  // whether there is one of that name at all.
  std::shared_ptr<const StoredDocument> find(std::string_view skill, std::string_view path,
                                             std::string_view revision, bool &knew) const;

private:
  mutable std::mutex mutex_;
  SnapshotPointer newest_;
  std::deque<SnapshotPointer> handedOut_; // newest last, commits unique
};

} // namespace skillhost::github
