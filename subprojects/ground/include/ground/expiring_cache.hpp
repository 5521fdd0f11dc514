// SPDX-License-Identifier: Apache-2.0
// Keeps values by digest for a limited time. If there are too many, the value that was unused for
// the longest time is dropped. Not thread-safe.
#pragma once

#include "ground/blake3.hpp"

#include <chrono>
#include <cstddef>
#include <list>
#include <unordered_map>
#include <utility>

namespace skillhost {

template <class Value> class ExpiringCache {
public:
  using Digest = Blake3Key::Digest;
  using Moment = std::chrono::steady_clock::time_point;

  explicit ExpiringCache(std::size_t maxEntries) : maxEntries_(maxEntries) {}

  // Returns null if there is no value or it has expired. The pointer is valid until the next call.
  const Value *find(const Digest &digest, Moment now) {
    const auto found = places_.find(digest);
    if (found == places_.end()) return nullptr;
    if (now >= found->second->until) {
      erase(digest);
      return nullptr;
    }
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->value;
  }
  // Returns how long the value will be kept; zero if there is none.
  Moment::duration remainingTime(const Digest &digest, Moment now) const {
    const auto found = places_.find(digest);
    return found == places_.end() || now >= found->second->until ? Moment::duration::zero()
                                                                 : found->second->until - now;
  }
  void put(const Digest &digest, Value value, Moment until) {
    if (maxEntries_ == 0) return;
    erase(digest);
    if (entries_.size() >= maxEntries_) {
      places_.erase(entries_.back().digest);
      entries_.pop_back();
    }
    const auto place = places_.try_emplace(digest).first;
    try {
      entries_.push_front({digest, std::move(value), until});
    } catch (...) { // out of memory
      places_.erase(place);
      throw;
    }
    place->second = entries_.begin();
  }
  void erase(const Digest &digest) {
    const auto found = places_.find(digest);
    if (found == places_.end()) return;
    entries_.erase(found->second);
    places_.erase(found);
  }
  void clear() {
    places_.clear();
    entries_.clear();
  }

private:
  struct Entry {
    Digest digest;
    Value value;
    Moment until;
  };
  using Entries = std::list<Entry>; // most recently used first

  const std::size_t maxEntries_;
  Entries entries_;
  std::unordered_map<Digest, typename Entries::iterator, Blake3Key::Hash> places_;
};

} // namespace skillhost
