// SPDX-License-Identifier: Apache-2.0
// The newest snapshot and the last few that the host was given. Any thread.
#pragma once

#include "snapshot.hpp"

#include <deque>
#include <mutex>

namespace skillhost::filesystem {

using SnapshotPointer = std::shared_ptr<const Snapshot>;

class History {
public:
  static constexpr std::size_t kept = 4; // snapshots given to the host

  SnapshotPointer newest() const; // nullptr before the first
  // Becomes the newest. One that was not handed out is forgotten then: nobody can name it.
  void add(SnapshotPointer snapshot);
  // The newest, which the host is about to be given.
  SnapshotPointer handOut();
  // True when the host was given something else than the newest.
  bool hasNews() const;
  // One that was handed out; nullptr when it is not among the last few.
  SnapshotPointer find(std::string_view id) const;
  // Was the host told of this document, in the snapshots that are kept?
  bool knew(std::string_view skill, std::string_view path) const;

private:
  mutable std::mutex mutex_;
  SnapshotPointer newest_;
  std::deque<SnapshotPointer> handedOut_; // newest last, ids unique
};

} // namespace skillhost::filesystem
