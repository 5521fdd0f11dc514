// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "runtime/content_cache.hpp"

#include <string>

using namespace skillhost;

namespace {
std::shared_ptr<const PreparedContent> content(std::size_t bytes) {
  auto made = std::make_shared<PreparedContent>();
  made->jsonText = std::make_shared<const std::string>(bytes, 'x');
  return made;
}
} // namespace

TEST_CASE("what was used last stays, what was not goes first") {
  ContentCache cache(1U << 20U, 3);
  for (const char *key : {"a", "b", "c"}) cache.put(key, content(10));
  CHECK(cache.get("a"));
  cache.put("d", content(10));
  CHECK(cache.get("a"));
  CHECK_FALSE(cache.get("b"));
  CHECK(cache.statistics().evictions == 1);
  CHECK(cache.statistics().misses == 1);
}

TEST_CASE("INV-MCP-CACHE-001 and 006: bytes stay within the bound and are counted exactly") {
  ContentCache cache(10'000, 100);
  for (int i = 0; i < 50; ++i) {
    cache.put("key" + std::to_string(i % 20), content(static_cast<std::size_t>(i) * 40));
    CHECK(cache.statistics().bytes <= 10'000);
  }
  cache.put("whole", content(20'000));
  CHECK_FALSE(cache.get("whole"));
  const auto before = cache.statistics();
  cache.put("key1", content(0));
  cache.put("key1", content(100));
  const auto after = cache.statistics();
  cache.put("key1", content(0));
  CHECK(after.bytes - cache.statistics().bytes == 100);
  CHECK(after.entries <= before.entries + 1);
}
