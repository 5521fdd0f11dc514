// SPDX-License-Identifier: Apache-2.0
// A FollowedSource that owns its settings, its mirror and the Follower of that mirror, in the order
// in which they must end.
#pragma once

#include "remote/followed_source.hpp"

#include <utility>

namespace skillhost::remote {

template <class Snapshot, class Settings, class Mirror>
class MirroredSource : public FollowedSource<Snapshot> {
protected:
  // Sends no request: the thread of the Follower sends the first one.
  MirroredSource(skh::Host host, Settings settings, FollowRules (*rulesOf)(const Settings &))
      : FollowedSource<Snapshot>(host), settings_(std::move(settings)),
        mirror_(host, settings_, this->history_), follower_(host, rulesOf(settings_), mirror_) {}

  Follower &follower() noexcept final { return follower_; }

  Settings settings_;
  Mirror mirror_;
  Follower follower_; // last, because its thread uses all members above
};

} // namespace skillhost::remote
