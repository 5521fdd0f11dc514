// SPDX-License-Identifier: Apache-2.0
#include "base/cache.hpp"
#include "catch2.hpp"

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

std::atomic<std::int64_t> moment{1}; // milliseconds

std::chrono::steady_clock::time_point madeUpNow() noexcept {
  return std::chrono::steady_clock::time_point(std::chrono::milliseconds(moment.load()));
}

Cache::Value value() { return std::make_shared<const int>(7); }

bool has(Cache &cache, std::string_view key) { return cache.get<int>(key) != nullptr; }

CacheRules rulesFor(EvictionPolicy policy, std::size_t entries) {
  CacheRules rules;
  rules.policy = policy;
  rules.entries = entries;
  return rules;
}

// Returns the value size with which `key` takes exactly `bytes` of the cache.
std::size_t filling(std::size_t bytes, std::string_view key) {
  return bytes - Cache::overhead(key);
}

} // namespace

TEST_CASE("INV-MCP-CACHE-001: the size never exceeds its bound, whatever is put") {
  for (const auto policy : {EvictionPolicy::Lru, EvictionPolicy::Lfu, EvictionPolicy::Fifo}) {
    CacheRules rules = rulesFor(policy, 1000);
    rules.bytes = 20'000;
    Cache cache(rules);
    std::size_t most = 0;
    for (std::size_t i = 0; i < 2000; ++i) {
      cache.put("key" + std::to_string(i % 70), value(), i * 7919 % 19'000);
      has(cache, "key" + std::to_string(i * 31 % 70));
      most = std::max(most, cache.statistics().bytes);
    }
    CHECK(most <= 20'000);
    CHECK(most > 10'000);
    CHECK_FALSE(cache.put("larger than all of it", value(), 20'000));
    CHECK_FALSE(has(cache, "larger than all of it"));
  }
}

TEST_CASE("over the high mark it evicts down to the low mark, not before") {
  CacheRules rules;
  rules.bytes = 100'000;
  Cache cache(rules);
  const auto put = [&](char key) {
    cache.put(std::string(1, key), value(), filling(10'000, "a"));
    return cache.statistics().bytes;
  };
  for (char key = 'a'; key < 'i'; ++key) put(key);
  CHECK(put('i') == 90'000); // reaching the high mark is allowed
  CHECK(cache.statistics().evictions == 0);
  CHECK(put('j') == 70'000);
  CHECK(cache.statistics().evictions == 3);
  CHECK_FALSE(has(cache, "c"));
  CHECK(has(cache, "d"));
  cache.put("k", value(), filling(95'000, "k")); // alone above the low mark, it stays alone
  CHECK(cache.statistics().entries == 1);
  CHECK(has(cache, "k"));
}

TEST_CASE("INV-MCP-CACHE-002: there are never more entries than the bound") {
  for (const std::size_t most : {0UL, 1UL, 5UL}) {
    Cache cache(rulesFor(EvictionPolicy::Lru, most));
    for (int i = 0; i < 20; ++i) {
      cache.put(std::to_string(i), value(), 10);
      CHECK(cache.statistics().entries <= most);
    }
    CHECK(cache.statistics().entries == most);
  }
}

TEST_CASE("INV-MCP-CACHE-003: what has expired is never returned, and cleaning drops it") {
  CacheRules rules;
  rules.ttl = 100ms;
  Cache cache(rules, &madeUpNow);
  cache.put("a", value(), 1);
  cache.put("b", value(), 1);
  moment += 99;
  CHECK(has(cache, "a"));
  cache.put("c", value(), 1);
  moment += 1;
  CHECK_FALSE(has(cache, "a")); // a hit does not extend its life
  CHECK(cache.statistics().entries == 2);
  CHECK(cache.statistics().lastCleanup.time_since_epoch().count() == 0);
  cache.clean();
  CHECK(cache.statistics().entries == 1);
  CHECK(cache.statistics().expirations == 2);
  CHECK(cache.statistics().evictions == 0);
  CHECK(cache.statistics().lastCleanup.time_since_epoch().count() > 0);
  CHECK(has(cache, "c"));
  cache.put("c", value(), 1); // a new life
  moment += 99;
  CHECK(has(cache, "c"));
  rules.ttl = 0ms;
  Cache eternal(rules, &madeUpNow);
  eternal.put("a", value(), 1);
  moment += 1'000'000'000;
  eternal.clean();
  CHECK(has(eternal, "a"));
}

TEST_CASE("INV-MCP-CACHE-003: with the clock of the machine nothing outlives its time") {
  CacheRules rules;
  rules.ttl = 30ms;
  Cache cache(rules);
  const auto begin = std::chrono::steady_clock::now();
  cache.put("a", value(), 1);
  const auto latest = std::chrono::steady_clock::now() + 30ms;
  bool outlived = false;
  while (std::chrono::steady_clock::now() < begin + 60ms) {
    const auto before = std::chrono::steady_clock::now();
    if (has(cache, "a") && before >= latest) outlived = true;
  }
  CHECK_FALSE(outlived);
}

TEST_CASE("INV-MCP-CACHE-004: lru evicts what was used least recently") {
  Cache cache(rulesFor(EvictionPolicy::Lru, 3));
  for (const char *key : {"a", "b", "c"}) cache.put(key, value(), 10);
  CHECK(has(cache, "a"));
  cache.put("d", value(), 10);
  CHECK(has(cache, "a"));
  CHECK_FALSE(has(cache, "b"));
  cache.put("c", value(), 10); // put counts as a use
  cache.put("e", value(), 10);
  CHECK_FALSE(has(cache, "d"));
  CHECK(has(cache, "c"));
  CHECK(cache.statistics().evictions == 2);
}

TEST_CASE("lfu evicts what was used least often, and of these the least recent") {
  Cache cache(rulesFor(EvictionPolicy::Lfu, 3));
  for (const char *key : {"a", "b", "c"}) cache.put(key, value(), 10);
  for (int i = 0; i < 3; ++i) CHECK(has(cache, "a"));
  CHECK(has(cache, "b"));
  CHECK(has(cache, "c"));
  cache.put("d", value(), 10); // evicts b, used as often as c but less recently
  CHECK_FALSE(has(cache, "b"));
  cache.put("e", value(), 10); // evicts d, which was never used
  CHECK_FALSE(has(cache, "d"));
  CHECK(has(cache, "a"));
  CHECK(has(cache, "c"));
  CHECK(has(cache, "e"));
}

TEST_CASE("fifo evicts the oldest, however much it is used") {
  Cache cache(rulesFor(EvictionPolicy::Fifo, 3));
  for (const char *key : {"a", "b", "c"}) cache.put(key, value(), 10);
  for (int i = 0; i < 9; ++i) CHECK(has(cache, "a"));
  cache.put("d", value(), 10);
  CHECK_FALSE(has(cache, "a"));
  CHECK(has(cache, "b"));
}

TEST_CASE("INV-MCP-CACHE-005: operations are atomic among many threads") {
  CacheRules rules = rulesFor(EvictionPolicy::Lfu, 50);
  rules.bytes = 50'000;
  rules.ttl = 20ms;
  Cache cache(rules);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 5000; ++i) {
        const std::size_t number = (i * 7 + t) % 80;
        const std::string key = std::to_string(number);
        if (i % 3 == 0)
          cache.put(key, std::make_shared<const std::size_t>(number), number * 20);
        else if (const auto kept = cache.get<std::size_t>(key); kept && *kept != number)
          ++wrong;
        if (i % 500 == 0) cache.clean();
        const CacheStatistics now = cache.statistics();
        if (now.bytes > 50'000 || now.entries > 50) ++wrong;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
  const CacheStatistics end = cache.statistics();
  CHECK(end.hits + end.misses == 4 * (5000 - 1667));
}

TEST_CASE("INV-MCP-CACHE-006: the size told is the sum of all entries, exactly") {
  Cache cache(CacheRules{});
  std::array<std::size_t, 30> sizes{};
  for (std::size_t i = 0; i < 500; ++i) {
    const std::size_t at = i * 17 % sizes.size(), size = i * 313 % 5000;
    sizes[at] = size + Cache::overhead(std::to_string(at));
    cache.put(std::to_string(at), value(), size);
    std::size_t sum = 0;
    for (const std::size_t one : sizes) sum += one;
    REQUIRE(cache.statistics().bytes == sum);
  }
  CHECK(cache.statistics().entries == sizes.size());
  cache.erase("7");
  cache.erase("no such");
  CHECK_FALSE(has(cache, "7"));
  std::size_t rest = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) rest += i == 7 ? 0 : sizes[i];
  CHECK(cache.statistics().bytes == rest);
  cache.relieve(); // far below the marks, this does nothing
  CHECK(cache.statistics().entries == sizes.size() - 1);
}

TEST_CASE("statistics count hits and misses and say how near the bound is") {
  CacheRules rules;
  rules.bytes = 100'000;
  rules.highWaterPercent = 100;
  Cache cache(rules);
  CHECK(cache.statistics().hitRate() == 0);
  const auto fill = [&](std::size_t bytes) {
    cache.put("a", value(), filling(bytes, "a"));
    return cache.statistics().pressure();
  };
  CHECK(fill(69'999) == PressureLevel::Low);
  CHECK(fill(70'000) == PressureLevel::Medium);
  CHECK(fill(90'000) == PressureLevel::High);
  CHECK(fill(97'000) == PressureLevel::Critical);
  CHECK(name(fill(100'000)) == "critical");
  for (int i = 0; i < 3; ++i) has(cache, "a");
  has(cache, "b");
  CHECK(cache.statistics().hitRate() == 0.75);
  cache.relieve();
  CHECK(cache.statistics().pressure() == PressureLevel::Low);
}
