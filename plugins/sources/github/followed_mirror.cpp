// SPDX-License-Identifier: Apache-2.0
#include "followed_mirror.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace skillhost::github {
namespace {

std::string shortened(const std::string &commit) { return commit.substr(0, 12); }

} // namespace

void FollowedMirror::refresh(remote::Operation &operation,
                             const std::function<void()> &publishNow) {
  ready_ = mirror_.refresh(operation);
  const bool isNew = ready_ != nullptr;
  if (isNew) {
    noteFetch();
    publishNow(); // the repositories of marketplace plugins may take long
  }
  ready_ = mirror_.refreshMarketplace(operation);
  if (ready_ && !isNew) noteFetch();
}

void FollowedMirror::noteFetch() {
  hasFetched_ = true;
  host_.count("fetches");
}

void FollowedMirror::measure() {
  const Budget *const budget = mirror_.budget();
  if (budget == nullptr || budget->limit() < 0) return;
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(wall).count();
  const std::int64_t left = std::max<std::int64_t>(budget->reset() - now, 0);
  host_.gauge("rate_limit", static_cast<double>(budget->limit()));
  host_.gauge("rate_limit_remaining", static_cast<double>(budget->remaining(now)));
  host_.gauge("rate_limit_reset_seconds", static_cast<double>(left));
}

void FollowedMirror::publish() {
  if (!ready_) return;
  host_.log(SKH_INFO, settings_.address.url + ": commit " + shortened(ready_->id) + " with " +
                          std::to_string(ready_->skills.size()) +
                          (ready_->skills.size() == 1 ? " skill" : " skills"));
  SnapshotMirror::publish();
}

void FollowedMirror::tidy(const remote::Checkpoint &checkpoint) {
  mirror_.saveSnapshot(checkpoint);
  if (std::exchange(hasFetched_, false)) mirror_.tidy(checkpoint);
}

std::string FollowedMirror::serving() const { return "commit " + shortened(mirror_.commit()); }

} // namespace skillhost::github
