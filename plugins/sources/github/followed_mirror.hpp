// SPDX-License-Identifier: Apache-2.0
// Connects the mirror to a follower and adds its snapshots to the history.
#pragma once

#include "mirror.hpp"

#include "remote/snapshot_mirror.hpp"

namespace skillhost::github {

using History = snapshots::History<Snapshot>;

// All arguments must outlive it.
class FollowedMirror final : public remote::SnapshotMirror<Snapshot> {
public:
  FollowedMirror(skh::Host host, const Settings &settings, Mirror &mirror, History &history)
      : SnapshotMirror(host, history), settings_(settings), mirror_(mirror) {}

  void load() override { ready_ = mirror_.load(); }
  void refresh(remote::Operation &operation, const std::function<void()> &publishNow) override;
  // Reports the budget of the API.
  void measure() override;
  void publish() override;
  void tidy(const remote::Checkpoint &checkpoint) override;
  std::string serving() const override;
  std::int64_t checked() const override { return mirror_.checked(); }
  bool isSettled() const override { return mirror_.isSettled(); }

private:
  void noteFetch();

  const Settings &settings_;
  Mirror &mirror_;
  bool hasFetched_ = false; // something was fetched since the last tidy()
};

} // namespace skillhost::github
