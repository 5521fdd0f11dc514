// SPDX-License-Identifier: Apache-2.0
#include "base/metric_help.hpp"
#include "base/plugin_metrics.hpp"
#include "catch2.hpp"

#include <atomic>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

using namespace skillhost;
using namespace skillhost::metrics;
using namespace std::chrono_literals;

namespace {
double valueOf(const Registry &registry, const SeriesName &name) {
  for (const Registry::Value &one : registry.snapshot())
    if (one.name == name)
      return one.kind == Kind::Histogram ? static_cast<double>(one.histogram.count) : one.number;
  return -1;
}
} // namespace

TEST_CASE("a histogram counts every value in the bucket whose bound it does not exceed") {
  Histogram histogram(durationBounds);
  histogram.observe(1us);
  histogram.observe(1.5e-6);
  histogram.observe(3600s);
  histogram.observe(-1.0);
  histogram.observe(std::nan(""));
  const HistogramSnapshot now = histogram.snapshot();
  CHECK(now.counts.front() == 2); // 1 µs, and the value below every bound
  CHECK(now.counts[1] == 1);
  CHECK(now.counts.back() == 1);
  CHECK(now.count == 4);
  CHECK(now.max == 3600);
  CHECK(now.sum == Approx(3599.0000025));
}

TEST_CASE("quantiles lie within the bucket of the true value and never above the largest") {
  Histogram histogram(durationBounds);
  CHECK(histogram.snapshot().quantile(0.5) == 0);
  for (int i = 1; i <= 1000; ++i) histogram.observe(std::chrono::milliseconds(i));
  const HistogramSnapshot now = histogram.snapshot();
  CHECK(now.quantile(0.5) == Approx(0.5).epsilon(0.02));
  CHECK(now.quantile(0.99) == Approx(0.99).epsilon(0.02));
  CHECK(now.quantile(1) == 1.0);
  Histogram one(durationBounds);
  one.observe(3ms);
  CHECK(one.snapshot().quantile(0.99) <= 0.003);
}

TEST_CASE("a series is one, whoever asks, and is told apart by its labels") {
  Registry registry;
  registry.counter({"calls_total", {{"tool", "a"}}}).add();
  registry.counter({"calls_total", {{"tool", "a"}}}).add(2);
  registry.counter({"calls_total", {{"tool", "b"}}}).add();
  registry.gauge({"waiting", {}}).set(7);
  CHECK(valueOf(registry, {"calls_total", {{"tool", "a"}}}) == 3);
  CHECK(valueOf(registry, {"calls_total", {{"tool", "b"}}}) == 1);
  CHECK(valueOf(registry, {"waiting", {}}) == 7);
  CHECK(registry.snapshot().size() == 3);
  CHECK(registry.dropped() == 0);
}

TEST_CASE("the number of series is bounded, names are checked, a name is of one kind") {
  Registry registry(2);
  registry.counter({"first_total", {{"tool", "a"}}}).add();
  registry.gauge({"first_total", {{"tool", "b"}}}).set(5); // this family is a counter
  registry.gauge({"first_total", {{"tool", "a"}}}).set(5);
  registry.counter({"1st", {}}).add();
  registry.counter({"good", {{"a-b", "x"}}}).add();
  registry.counter({"", {}}).add();
  CHECK(registry.snapshot().size() == 1);
  registry.gauge({"second", {}}).set(2);
  registry.gauge({"third", {}}).set(3);
  CHECK(registry.snapshot().size() == 2);
  CHECK(registry.dropped() == 6);
  CHECK(valueOf(registry, {"first_total", {{"tool", "a"}}}) == 1);
}

TEST_CASE("nothing is lost when many threads count at once") {
  Registry registry;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&registry] {
      Counter &counter = registry.counter({"calls_total", {}});
      Histogram &histogram = registry.histogram({"call_seconds", {}});
      for (int i = 0; i < 10'000; ++i) {
        counter.add();
        histogram.observe(std::chrono::microseconds(i));
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(valueOf(registry, {"calls_total", {}}) == 40'000);
  CHECK(valueOf(registry, {"call_seconds", {}}) == 40'000);
}

TEST_CASE("an instance counts its calls, its failures by code, and what waits") {
  Registry registry;
  PluginMetrics instance("docs", registry);
  instance.queued();
  instance.queued();
  instance.began();
  const Failure failure{Fault::Unavailable, "down"};
  instance.finished(1ms, 2ms, nullptr);
  instance.finished(1ms, 2ms, &failure);
  instance.refused();
  const Labels labels{{"instance", "docs"}};
  CHECK(valueOf(registry, {"skillhost_instance_call_seconds", labels}) == 2);
  CHECK(valueOf(registry, {"skillhost_instance_queue_seconds", labels}) == 2);
  CHECK(valueOf(registry, {"skillhost_instance_waiting_calls", labels}) == 1);
  CHECK(valueOf(registry, {"skillhost_instance_refused_total", labels}) == 1);
  CHECK(valueOf(registry, {"skillhost_instance_failures_total",
                           {{"code", "SERVICE_UNAVAILABLE"}, {"instance", "docs"}}}) == 1);
}

TEST_CASE("what a plugin reports is bounded to 100 series an instance, and checked") {
  Registry registry;
  PluginMetrics instance("docs", registry);
  const std::size_t before = registry.snapshot().size();
  instance.report(Kind::Counter, "fetched", 2.5);
  instance.report(Kind::Counter, "fetched", 1.5);
  instance.report(Kind::Counter, "fetched", -1);
  instance.report(Kind::Gauge, "fetched", 9); // ignored, because of another kind
  instance.report(Kind::Gauge, "open", std::nan(""));
  instance.report(Kind::Gauge, "bad name\n", 1);
  instance.report(Kind::Gauge, std::string(65, 'x'), 1);
  instance.report(Kind::Histogram, "fetch.seconds", 3);
  CHECK(valueOf(registry, {"skillhost_plugin_fetched", {{"instance", "docs"}}}) == 4);
  CHECK(valueOf(registry, {"skillhost_plugin_fetch_seconds", {{"instance", "docs"}}}) == 1);
  CHECK(registry.snapshot().size() == before + 2);
  for (int i = 0; i < 500; ++i) instance.report(Kind::Gauge, "g" + std::to_string(i), 1);
  CHECK(registry.snapshot().size() == before + PluginMetrics::maxReportedSeries);
}

TEST_CASE("a collector is asked by each snapshot, until it is let go of") {
  Registry registry;
  int asked = 0;
  Registry::Collector collector = registry.collect([&] {
    ++asked;
    registry.gauge({"asked", {}}).set(asked);
  });
  CHECK(valueOf(registry, {"asked", {}}) == 1);
  CHECK(valueOf(registry, {"asked", {}}) == 2);
  collector.reset();
  CHECK(valueOf(registry, {"asked", {}}) == 2);
}

TEST_CASE("a collector that runs is waited for by who lets go of it") {
  Registry registry;
  std::atomic<bool> runs{false}, ended{false}, goOn{false};
  Registry::Collector collector = registry.collect([&] {
    runs = true;
    while (!goOn) std::this_thread::yield();
    ended = true;
  });
  std::thread reader([&] { registry.snapshot(); });
  while (!runs) std::this_thread::yield();
  std::thread helper([&] { goOn = true; });
  collector.reset();
  CHECK(ended);
  helper.join();
  reader.join();
}

TEST_CASE("each metric of ours is described in one line, and its unit follows from its name") {
  for (const MetricHelp &one : metricHelps()) {
    INFO(one.name);
    CHECK(goodName(one.name));
    CHECK(helpOf(one.name) == one.help);
    CHECK(one.help.find_first_of("\n\\\"") == std::string_view::npos);
    CHECK(one.help.ends_with('.'));
  }
  CHECK(helpOf("skillhost_plugin_anything") == "Reported by a plugin.");
  CHECK_FALSE(helpOf("another").empty());
  CHECK(unitOf("process_cpu_seconds_total") == "seconds");
  CHECK(unitOf("process_open_fds").empty());
  CHECK(unitOf("a_bytes") == "bytes");
  CHECK(unitOf("kilobytes").empty());
}
