// SPDX-License-Identifier: Apache-2.0
// A FollowedSource whose mirror is what its Follower follows.
#pragma once

#include "remote/followed_source.hpp"

#include <utility>

namespace skillhost::remote {

template <class Snapshot, class Settings, class Mirror>
class MirroredSource : public FollowedSource<Snapshot> {
protected:
  // Asks nobody: the thread of the Follower begins with that.
  MirroredSource(skh::Host host, Settings settings, FollowRules (*rulesOf)(const Settings &))
      : FollowedSource<Snapshot>(host), settings_(std::move(settings)),
        mirror_(host, settings_, this->history_), follower_(host, rulesOf(settings_), mirror_) {}

  Follower &follower() noexcept final { return follower_; }

  Settings settings_;
  Mirror mirror_;
  Follower follower_; // last: its thread uses all of the above
};

} // namespace skillhost::remote
