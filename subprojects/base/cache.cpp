// SPDX-License-Identifier: Apache-2.0
#include "base/cache.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t part(std::size_t whole, std::size_t percent) {
  constexpr std::size_t all = 100;
  const std::size_t one = std::min(percent, all);
  return whole / all * one + whole % all * one / all; // no intermediate product overflows
}

} // namespace

Cache::Cache(const CacheRules &rules, CacheClock now)
    : rules_(rules), now_(now == nullptr ? &Clock::now : now),
      highBytes_(part(rules.bytes, rules.highWaterPercent)),
      lowBytes_(part(rules.bytes, std::min(rules.lowWaterPercent, rules.highWaterPercent))) {}

Cache::Value Cache::find(std::string_view key) {
  Entries gone; // destroyed after the lock
  const std::scoped_lock lock(mutex_);
  const auto found = byKey_.find(key);
  if (found == byKey_.end()) {
    ++counts_.misses;
    return nullptr;
  }
  const Entries::iterator entry = found->second;
  if (rules_.ttl.count() != 0 && now_() >= entry->expires) {
    ++counts_.misses;
    ++counts_.expirations;
    take(entry, gone);
    return nullptr;
  }
  ++counts_.hits;
  use(entry);
  return entry->value;
}

void Cache::use(Entries::iterator entry) {
  if (rules_.policy == EvictionPolicy::Fifo) return;
  const Groups::iterator group = entry->group;
  if (rules_.policy == EvictionPolicy::Lru) {
    if (entry != group->entries.begin())
      group->entries.splice(group->entries.begin(), group->entries, entry);
    return;
  }
  auto more = std::next(group);
  if (more == groups_.end() || more->uses != group->uses + 1)
    more = groups_.insert(more, Group{group->uses + 1, {}});
  more->entries.splice(more->entries.begin(), group->entries, entry);
  entry->group = more;
  if (group->entries.empty()) groups_.erase(group);
}

bool Cache::put(std::string key, Value value, std::size_t bytes) {
  const std::size_t size = bytes + overhead(key);
  Entries gone; // destroyed after the lock
  const std::scoped_lock lock(mutex_);
  if (const auto found = byKey_.find(key); found != byKey_.end()) take(found->second, gone);
  if (size > rules_.bytes || rules_.entries == 0) return false;
  if (bytes_ + size > highBytes_) evict(lowBytes_ - std::min(lowBytes_, size), gone);
  while (byKey_.size() >= rules_.entries) {
    take(next(), gone);
    ++counts_.evictions;
  }
  if (groups_.empty() || groups_.front().uses != 1) groups_.push_front(Group{1, {}});
  Entries &first = groups_.front().entries;
  first.push_front(
      {now_() + rules_.ttl, std::move(value), groups_.begin(), std::move(key), size, {}});
  ages_.push_back(first.begin());
  first.front().age = std::prev(ages_.end());
  byKey_.emplace(first.front().key, first.begin());
  bytes_ += size;
  return true;
}

Cache::Entries::iterator Cache::next() { return std::prev(groups_.front().entries.end()); }

void Cache::evict(std::size_t bytes, Entries &gone) {
  counts_.lastCleanup = std::chrono::system_clock::now();
  while (bytes_ > bytes) {
    take(next(), gone);
    ++counts_.evictions;
  }
}

void Cache::take(Entries::iterator entry, Entries &gone) {
  const Groups::iterator group = entry->group;
  bytes_ -= entry->bytes;
  byKey_.erase(entry->key);
  ages_.erase(entry->age);
  gone.splice(gone.end(), group->entries, entry);
  if (group->entries.empty()) groups_.erase(group);
}

void Cache::erase(std::string_view key) {
  Entries gone; // destroyed after the lock
  const std::scoped_lock lock(mutex_);
  if (const auto found = byKey_.find(key); found != byKey_.end()) take(found->second, gone);
}

void Cache::clean() {
  Entries gone; // destroyed after the lock
  const std::scoped_lock lock(mutex_);
  counts_.lastCleanup = std::chrono::system_clock::now();
  if (rules_.ttl.count() == 0) return;
  const Clock::time_point now = now_();
  while (!ages_.empty() && now >= ages_.front()->expires) {
    take(ages_.front(), gone);
    ++counts_.expirations;
  }
}

void Cache::relieve() {
  Entries gone; // destroyed after the lock
  const std::scoped_lock lock(mutex_);
  evict(lowBytes_, gone);
}

CacheStatistics Cache::statistics() const {
  const std::scoped_lock lock(mutex_);
  CacheStatistics now = counts_;
  now.entries = byKey_.size();
  now.bytes = bytes_;
  now.maxBytes = rules_.bytes;
  return now;
}

} // namespace skillhost
