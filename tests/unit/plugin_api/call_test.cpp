// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include <skillhost/plugin.hpp>

using namespace std::chrono_literals;

namespace {

struct Context {
  skh_call raw{sizeof raw,
               0,
               INT64_MAX,
               [](const skh_call *) noexcept { return 0; },
               [](const skh_call *, uint64_t, uint64_t, skh_str) noexcept {},
               [](const skh_call *, skh_str) noexcept {}};

  void endIn(std::chrono::nanoseconds time) {
    const auto then = std::chrono::steady_clock::now() + time;
    raw.deadline_ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(then.time_since_epoch()).count();
  }
};

} // namespace

TEST_CASE("the time that remains is never negative, and never more than asked for") {
  Context context;
  const skh::Call call(&context.raw);
  CHECK(call.remaining(10s) == 10s);
  CHECK(call.remaining(0ms) == 0ms);
  context.endIn(1h);
  CHECK(call.remaining(10s) == 10s);
  CHECK(call.remaining(2h) > 59min);
  CHECK(call.remaining(2h) <= 1h);
  context.endIn(-1s);
  CHECK(call.remaining(10s) == 0ms);
  context.raw.deadline_ns = INT64_MIN;
  CHECK(call.remaining(10s) == 0ms);
}

TEST_CASE("every kind of metric has its call") {
  static std::int32_t kind;
  skh_host raw{};
  raw.metric = [](const skh_host *, std::int32_t given, skh_str, double) noexcept { kind = given; };
  const skh::Host host(&raw);
  host.count("requests");
  CHECK(kind == SKH_COUNTER);
  host.gauge("documents", 3);
  CHECK(kind == SKH_GAUGE);
  host.observe("seconds", 0.5);
  CHECK(kind == SKH_HISTOGRAM);
}

TEST_CASE("a call names its trace, where the host is new enough to say so") {
  Context context;
  const skh::Call call(&context.raw);
  CHECK(call.traceparent().empty());
  CHECK(call.tracestate().empty());
  context.raw.traceparent = skh::borrow("00-trace-span-01");
  context.raw.tracestate = skh::borrow("a=1");
  CHECK(call.traceparent() == "00-trace-span-01");
  CHECK(call.tracestate() == "a=1");
  context.raw.size = offsetof(skh_call, traceparent); // the size of minor version 0
  CHECK(call.traceparent().empty());
  CHECK(call.tracestate().empty());
}
