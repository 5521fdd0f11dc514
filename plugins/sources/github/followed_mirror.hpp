// SPDX-License-Identifier: Apache-2.0
// The mirror as a follower sees it: its snapshots go into the history.
#pragma once

#include "mirror.hpp"

#include "remote/followed.hpp"
#include "snapshots/history.hpp"

namespace skillhost::github {

using History = snapshots::History<Snapshot>;

// Refers to all that it is given.
class FollowedMirror final : public remote::Followed {
public:
  FollowedMirror(skh::Host host, const Settings &settings, Mirror &mirror, History &history)
      : host_(host), settings_(settings), mirror_(mirror), history_(history) {}

  void load() override { ready_ = mirror_.load(); }
  void look(remote::Operation &operation, const std::function<void()> &publishNow) override;
  // What the API says of its budget.
  void measure() override;
  void publish() override;
  void tidy(const remote::Checkpoint &checkpoint) override;
  bool isServing() const override { return history_.newest() != nullptr; }
  std::string serving() const override;
  std::int64_t checked() const override { return mirror_.checked(); }
  bool isSettled() const override { return mirror_.isSettled(); }

private:
  void noteFetch();

  skh::Host host_;
  const Settings &settings_;
  Mirror &mirror_;
  History &history_;
  SnapshotPointer ready_;
  bool hasFetched_ = false; // since it was last tidied
};

} // namespace skillhost::github
