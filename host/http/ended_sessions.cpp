// SPDX-License-Identifier: Apache-2.0
#include "ended_sessions.hpp"

#include <algorithm>

namespace skillhost {

void EndedSessions::add(const std::string &name, std::int64_t until, std::int64_t now) {
  if (until <= now) return;
  const std::scoped_lock lock(mutex_);
  if (!until_.emplace(name, until).second) return;
  order_.emplace(until, name);
  while (!order_.empty() && (order_.begin()->first <= now || order_.size() > most_)) {
    if (order_.begin()->first > now) forgotten_ = std::max(forgotten_, order_.begin()->first);
    until_.erase(order_.begin()->second);
    order_.erase(order_.begin());
  }
}

bool EndedSessions::contains(const std::string &name) const {
  const std::scoped_lock lock(mutex_);
  return until_.contains(name);
}

bool EndedSessions::mayContain(const std::string &name, std::int64_t until) const {
  const std::scoped_lock lock(mutex_);
  return until <= forgotten_ || until_.contains(name);
}

std::vector<EndedSessions::Ended> EndedSessions::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Ended> all;
  all.reserve(order_.size());
  for (const auto &[until, name] : order_) all.push_back({name, until});
  return all;
}

} // namespace skillhost
