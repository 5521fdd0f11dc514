// SPDX-License-Identifier: Apache-2.0
#include "ended_sessions.hpp"

#include <algorithm>

namespace skillhost {

void EndedSessions::dropFirst() {
  const auto first = entries_.find(order_.begin()->second);
  if (const auto share = first->second.share; share != shares_.end() && --share->second == 0)
    shares_.erase(share);
  entries_.erase(first);
  order_.erase(order_.begin());
}

void EndedSessions::dropOld(std::int64_t now) {
  while (!order_.empty() && order_.begin()->first <= now) dropFirst();
}

bool EndedSessions::hasRoom(const std::string &share, std::int64_t now) {
  constexpr std::size_t shares = 8;
  const std::scoped_lock lock(mutex_);
  dropOld(now);
  const auto own = shares_.find(share);
  return order_.size() < maxSessions_ &&
         (own == shares_.end() || own->second < maxSessions_ / shares);
}

void EndedSessions::add(const std::string &name, std::int64_t until, std::int64_t now,
                        const std::string &share) {
  if (until <= now) return;
  const std::scoped_lock lock(mutex_);
  const auto [entry, isNew] = entries_.try_emplace(name, Entry{until, shares_.end()});
  if (!isNew) return;
  order_.emplace(until, name);
  if (!share.empty()) {
    entry->second.share = shares_.try_emplace(share, 0).first;
    ++entry->second.share->second;
  }
  dropOld(now);
  while (order_.size() > maxSessions_) {
    forgotten_ = std::max(forgotten_, order_.begin()->first);
    dropFirst();
  }
}

bool EndedSessions::contains(const std::string &name) const {
  const std::scoped_lock lock(mutex_);
  return entries_.contains(name);
}

bool EndedSessions::mayContain(const std::string &name, std::int64_t until) const {
  const std::scoped_lock lock(mutex_);
  return until <= forgotten_ || entries_.contains(name);
}

std::vector<EndedSessions::Ended> EndedSessions::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Ended> all;
  all.reserve(order_.size());
  for (const auto &[until, name] : order_) all.push_back({name, until});
  return all;
}

} // namespace skillhost
