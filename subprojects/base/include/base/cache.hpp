// SPDX-License-Identifier: Apache-2.0
// The server's only cache. It limits its bytes and entries, and every entry expires.
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

// May be used on any thread; every operation is atomic. A hit costs a lock, a look-up and, for lru
// and lfu, a move. None of them depends on the number of entries.
class Cache {
public:
  using Value = std::shared_ptr<const void>;

  // `now` is for tests. It must never go back.
  explicit Cache(const CacheRules &rules, CacheClock now = nullptr);
  Cache(const Cache &) = delete;
  Cache &operator=(const Cache &) = delete;

  // Returns null if there is no entry for the key or it has expired. T must be the type that was
  // put there, so keys for different types need different prefixes.
  template <class T> std::shared_ptr<const T> get(std::string_view key) {
    return std::static_pointer_cast<const T>(find(key));
  }
  // Replaces the entry of the key. `bytes` is the exact size of the value; the sizes of key and
  // entry are added to it. Returns false, and keeps nothing, if it alone exceeds the cache.
  bool put(std::string key, Value value, std::size_t bytes);

  // Removes the entry of the key, if there is one.
  void erase(std::string_view key);
  // Removes expired entries. Call it every `cacheCleaning`.
  void clean();
  // Evicts entries down to the low mark at once.
  void relieve();
  CacheStatistics statistics() const;
  // Needs no lock, so that every call can afford it.
  PressureLevel pressure() const noexcept {
    return pressureLevel(bytes_.load(std::memory_order_relaxed), rules_.bytes);
  }
  // The bytes of an entry besides its value.
  static std::size_t overhead(std::string_view key) noexcept { return key.size() + sizeof(Entry); }

private:
  struct Entry;
  struct Group; // entries with equal use counts; lru and fifo have one group
  using Entries = std::list<Entry>;
  using Groups = std::list<Group>;
  using Ages = std::list<Entries::iterator>;
  struct Entry { // members that a hit needs come first
    std::chrono::steady_clock::time_point expires;
    Value value;
    Groups::iterator group;
    std::string key;
    std::size_t bytes;
    Ages::iterator age;
  };
  struct Group {
    std::uint64_t uses;
    Entries entries; // the last is evicted first
  };

  Value find(std::string_view key);
  void use(Entries::iterator entry);
  // These move the removed entries into `gone`, which its owner empties without the lock.
  void take(Entries::iterator entry, Entries &gone);
  void evict(std::size_t bytes, Entries &gone);
  Entries::iterator next();

  const CacheRules rules_;
  const CacheClock now_;
  const std::size_t highBytes_, lowBytes_;
  mutable std::mutex mutex_;
  Groups groups_; // fewest uses first
  Ages ages_;     // oldest first, which is also the order of expiry
  std::unordered_map<std::string_view, Entries::iterator> byKey_; // keys live in the entries
  std::atomic<std::size_t> bytes_{0};                             // written under the lock
  CacheStatistics counts_;
};

} // namespace skillhost
