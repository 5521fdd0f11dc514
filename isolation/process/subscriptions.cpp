// SPDX-License-Identifier: Apache-2.0
#include "process/subscriptions.hpp"

namespace skillhost::process {

bool Subscriptions::remember(std::string_view channel, bool &isNew) {
  const std::scoped_lock lock(mutex_);
  isNew = channels_.find(channel) == channels_.end();
  if (!isNew) return true;
  if (channels_.size() >= maxChannels) return false;
  channels_.emplace(channel, 0);
  return true;
}

bool Subscriptions::forget(std::string_view channel) {
  const std::scoped_lock lock(mutex_);
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return false;
  channels_.erase(found);
  return true;
}

void Subscriptions::recordSubscription(std::string_view channel, std::uint64_t runner) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = channels_.find(channel); found != channels_.end()) found->second = runner;
}

std::vector<std::string> Subscriptions::missing(std::uint64_t runner) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> names;
  for (const auto &[channel, receiver] : channels_)
    if (receiver != runner) names.push_back(channel);
  return names;
}

} // namespace skillhost::process
