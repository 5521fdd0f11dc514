// SPDX-License-Identifier: Apache-2.0
// The one cache: bounded in bytes and entries, with an end to every entry's time.
#pragma once

#include "base/cache_rules.hpp"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace skillhost {

// Any thread; every operation is atomic. A hit costs a lock, a look-up and, for lru and lfu, a
// move: none of them depends on how much is kept.
class Cache {
public:
  using Value = std::shared_ptr<const void>;

  // `now` is for tests; it must never go back.
  explicit Cache(const CacheRules &rules, CacheClock now = nullptr);
  Cache(const Cache &) = delete;
  Cache &operator=(const Cache &) = delete;

  // Null when there is nothing under the key, or it has expired. T is what was put there: keys of
  // different types begin differently.
  template <class T> std::shared_ptr<const T> get(std::string_view key) {
    return std::static_pointer_cast<const T>(find(key));
  }
  // In place of what was there. `bytes` is the exact size of the value; key and place are added to
  // it. False when it alone is larger than the cache: then it is not kept.
  bool put(std::string key, Value value, std::size_t bytes);

  // Drops what is under the key, if anything is.
  void erase(std::string_view key);
  // Drops what has expired; to be called every `cacheCleaning`.
  void clean();
  // Evicts down to the low mark, at once.
  void relieve();
  CacheStatistics statistics() const;
  // Without the lock, for every call.
  PressureLevel pressure() const noexcept {
    return pressureLevel(bytes_.load(std::memory_order_relaxed), rules_.bytes);
  }
  // What an entry takes beside its value.
  static std::size_t overhead(std::string_view key) noexcept { return key.size() + sizeof(Entry); }

private:
  struct Entry;
  struct Group; // entries used equally often; lru and fifo have only one group
  using Entries = std::list<Entry>;
  using Groups = std::list<Group>;
  using Ages = std::list<Entries::iterator>;
  struct Entry { // what a hit needs comes first
    std::chrono::steady_clock::time_point expires;
    Value value;
    Groups::iterator group;
    std::string key;
    std::size_t bytes;
    Ages::iterator age;
  };
  struct Group {
    std::uint64_t uses;
    Entries entries; // the next to go is the last
  };

  Value find(std::string_view key);
  void use(Entries::iterator entry);
  // These move what they drop into `gone`, which its owner empties without the lock.
  void take(Entries::iterator entry, Entries &gone);
  void evict(std::size_t bytes, Entries &gone);
  Entries::iterator next();

  const CacheRules rules_;
  const CacheClock now_;
  const std::size_t highBytes_, lowBytes_;
  mutable std::mutex mutex_;
  Groups groups_; // fewest uses first
  Ages ages_;     // oldest first, which is also the order in which they expire
  std::unordered_map<std::string_view, Entries::iterator> byKey_; // keys live in the entries
  std::atomic<std::size_t> bytes_{0};                             // written under the lock
  CacheStatistics counts_;
};

} // namespace skillhost
