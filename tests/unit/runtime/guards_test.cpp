// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "catch2.hpp"
#include "runtime/guards.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

// Collects the warnings of the log while it exists.
struct Heard {
  std::vector<std::string> lines;
  Heard() {
    log::listen([this](LogLevel level, std::string_view, std::string_view text) {
      if (level == LogLevel::Warning) lines.emplace_back(text);
    });
  }
  ~Heard() { log::listen(nullptr); }
  Heard(const Heard &) = delete;
  Heard &operator=(const Heard &) = delete;
};

Cache::Value one() { return std::make_shared<const int>(1); }

const Json tooMany{{"list", {1, 2, 3, 4}}};

} // namespace

TEST_CASE("INV-MCP-LIMIT-002: memory, then size, then arrays are looked at before a handler") {
  Limits limits;
  limits.arrayItems = 3;
  limits.requestBytes = 1000;
  limits.memoryBytes = 1'000'000;
  Cache cache(CacheRules{});
  const auto fault = [&](std::size_t resident, std::size_t bytes) {
    Guards guards(limits, cache, [resident] { return resident; });
    const auto refused = guards.check("any", tooMany, bytes);
    REQUIRE(refused);
    return refused->failure.fault;
  };
  const Heard heard;
  CHECK(fault(990'000, 1001) == Fault::MemoryPressure);
  CHECK(fault(100, 1001) == Fault::InvalidInput);
  CHECK(fault(100, 1000) == Fault::ArrayTooLarge);
  Guards guards(limits, cache, [] { return std::size_t{100}; });
  CHECK_FALSE(guards.check("any", Json::object(), 1000));
}

TEST_CASE("INV-MCP-LIMIT-004: a request that is too large is told limit and actual size") {
  Limits limits;
  limits.requestBytes = 1000;
  Cache cache(CacheRules{});
  Guards guards(limits, cache);
  const auto refused = guards.check("any", Json::object(), 1001);
  REQUIRE(refused);
  CHECK(refused->failure.message == "request: 1001 bytes are more than the limit of 1000");
  const Json error = Json::parse(refused->context).at("errors").at(0);
  CHECK(error.at("path") == "request");
  CHECK(error.at("limit") == 1000);
  CHECK(error.at("actual") == 1001);
}

TEST_CASE("critical memory refuses, and says when to come back; high memory warns once") {
  Limits limits;
  limits.memoryBytes = 1000;
  Cache cache(CacheRules{});
  {
    Guards guards(limits, cache, [] { return std::size_t{980}; });
    const auto refused = guards.check("any", Json::object(), 1);
    REQUIRE(refused);
    CHECK(describe(refused->failure.fault).retryable);
    CHECK(refused->retryAfter > 0ms);
    // The operator's request for the figures passes.
    CHECK_FALSE(guards.check("any", Json::object(), 1, Shortage::Passes));
  }
  const Heard heard;
  Guards guards(limits, cache, [] { return std::size_t{920}; });
  for (int i = 0; i < 100; ++i) CHECK_FALSE(guards.check("any", Json::object(), 1));
  REQUIRE(heard.lines.size() == 1);
  CHECK(heard.lines[0].find("memory pressure is high") == 0);
}

TEST_CASE("a cache that is nearly full makes room instead of refusing calls") {
  CacheRules rules;
  rules.bytes = 100'000;
  rules.highWaterPercent = 100;
  Cache cache(rules);
  for (int i = 0; i < 98; ++i)
    cache.put(std::to_string(i), one(), 1000 - Cache::overhead(std::to_string(i)));
  REQUIRE(cache.pressure() == PressureLevel::Critical);
  const Limits limits;
  Guards guards(limits, cache);
  CHECK_FALSE(guards.check("any", Json::object(), 1));
  CHECK(cache.statistics().bytes == 70'000);
}

TEST_CASE("the audit logs what took more than 80 % of its time, and nothing else") {
  const Heard heard;
  CHECK_FALSE(logIfSlow("slow", 800ms, 1000ms));
  CHECK_FALSE(logIfSlow("slow", 800ms, 0ms));
  CHECK(heard.lines.empty());
  CHECK(logIfSlow("slow", 801ms, 1000ms));
  REQUIRE(heard.lines.size() == 1);
  CHECK(heard.lines[0] == "near_timeout tool=slow durationMs=801 timeoutMs=1000 ratio=80.1%");
}
