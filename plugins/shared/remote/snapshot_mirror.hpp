// SPDX-License-Identifier: Apache-2.0
// Follows a remote from snapshot to snapshot: each refresh adds the snapshot that it makes to a
// history.
#pragma once

#include "remote/followed.hpp"
#include "snapshots/history.hpp"

#include <utility>

namespace skillhost::remote {

template <class Snapshot> class SnapshotMirror : public Followed {
public:
  void publish() override {
    if (!ready_) return;
    history_.add(std::move(ready_));
    if (history_.hasNewer()) host_.changed();
  }
  bool isServing() const override { return history_.newest() != nullptr; }

protected:
  // `history` must outlive it.
  SnapshotMirror(skh::Host host, snapshots::History<Snapshot> &history)
      : host_(host), history_(history) {}

  skh::Host host_;
  snapshots::History<Snapshot> &history_;
  typename snapshots::History<Snapshot>::Pointer ready_; // null: nothing new
};

} // namespace skillhost::remote
