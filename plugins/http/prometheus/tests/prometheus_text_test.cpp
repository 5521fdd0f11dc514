// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "prometheus_text.hpp"

#include <chrono>
#include <limits>
#include <string>

using namespace skillhost;
using namespace skillhost::metrics;
using namespace std::chrono_literals;

namespace {

std::string textOf(const Registry &registry, MetricsForm form = MetricsForm::Prometheus) {
  return metricsText(registry, form, [](const SeriesName &) { return true; });
}

bool has(const std::string &text, const std::string &line) {
  return text.starts_with(line + '\n') || text.find('\n' + line + '\n') != std::string::npos;
}

} // namespace

TEST_CASE("OpenMetrics is for who names it") {
  CHECK(metricsForm("") == MetricsForm::Prometheus);
  CHECK(metricsForm("*/*") == MetricsForm::Prometheus);
  CHECK(metricsForm("text/plain;version=0.0.4") == MetricsForm::Prometheus);
  CHECK(metricsForm("application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*;q=0.1") ==
        MetricsForm::OpenMetrics);
  CHECK(metricsForm("application/openmetrics-text;q=0, */*") == MetricsForm::Prometheus);
  // Prometheus 2 and 3 send this field.
  CHECK(metricsForm("application/openmetrics-text;version=1.0.0;q=0.5,"
                    "application/openmetrics-text;version=0.0.1;q=0.4,"
                    "text/plain;version=0.0.4;q=0.3,*/*;q=0.2") == MetricsForm::OpenMetrics);
  CHECK(metricsForm("text/plain, Application/OpenMetrics-Text ; Version=\"1.0.0\"; Q=1") ==
        MetricsForm::OpenMetrics);
}

TEST_CASE("and only when it is wanted no less, and in a version that is written") {
  CHECK(metricsForm("text/plain, application/openmetrics-text;q=0.1") == MetricsForm::Prometheus);
  CHECK(metricsForm("application/openmetrics-text;q=0.1, */*") == MetricsForm::Prometheus);
  CHECK(metricsForm("application/openmetrics-text;q=0.2, text/plain;q=0.1, */*") ==
        MetricsForm::OpenMetrics);
  CHECK(metricsForm("application/openmetrics-text; version=0.0.1, text/plain;q=0.5") ==
        MetricsForm::Prometheus);
}

TEST_CASE("a family has its head once, and the values of labels are escaped") {
  Registry registry;
  registry.gauge({"skillhost_source_up", {{"source", "a\"b\\c\nd"}}}).set(1);
  registry.gauge({"skillhost_source_up", {{"source", "e"}}}).set(0);
  CHECK(textOf(registry) == "# HELP skillhost_source_up 1 when the last refresh of the source "
                            "succeeded, else 0.\n"
                            "# TYPE skillhost_source_up gauge\n"
                            "skillhost_source_up{source=\"a\\\"b\\\\c\\nd\"} 1\n"
                            "skillhost_source_up{source=\"e\"} 0\n");
}

TEST_CASE("a histogram is told of from its first value on") {
  Registry registry;
  Histogram &times = registry.histogram({"skillhost_tool_seconds", {{"tool", "a"}}});
  CHECK(textOf(registry).empty());
  CHECK(textOf(registry, MetricsForm::OpenMetrics) == "# EOF\n");
  times.observe(150us);
  times.observe(3600s);
  const std::string text = textOf(registry);
  CHECK(has(text, "skillhost_tool_seconds_bucket{tool=\"a\",le=\"1e-06\"} 0"));
  CHECK(has(text, "skillhost_tool_seconds_bucket{tool=\"a\",le=\"0.0002\"} 1"));
  CHECK(has(text, "skillhost_tool_seconds_bucket{tool=\"a\",le=\"1\"} 1"));
  CHECK(has(text, "skillhost_tool_seconds_bucket{tool=\"a\",le=\"+Inf\"} 2"));
  CHECK(has(text, "skillhost_tool_seconds_count{tool=\"a\"} 2"));
  const std::string open = textOf(registry, MetricsForm::OpenMetrics);
  CHECK(has(open, "# UNIT skillhost_tool_seconds seconds"));
  CHECK(has(open, "skillhost_tool_seconds_bucket{tool=\"a\",le=\"1.0\"} 1"));
  CHECK(open.ends_with("\n# EOF\n"));
}

TEST_CASE("counters and infos have the names that OpenMetrics wants") {
  Registry registry;
  registry.counter({"skillhost_plugin_fetched", {}}).add(2);
  registry.counter({"skillhost_plugin_fetched_total", {}}).add(3);
  registry.gauge({"skillhost_build_info", {{"version", "1"}}}).set(1);
  const std::string text = textOf(registry);
  CHECK(has(text, "# TYPE skillhost_plugin_fetched_total counter"));
  CHECK(has(text, "skillhost_plugin_fetched_total 2"));
  // A repeated name would make the reader reject the scrape.
  CHECK_FALSE(has(text, "skillhost_plugin_fetched_total 3"));
  CHECK(has(text, "# TYPE skillhost_build_info gauge"));
  const std::string open = textOf(registry, MetricsForm::OpenMetrics);
  CHECK(has(open, "# TYPE skillhost_plugin_fetched counter"));
  CHECK(has(open, "skillhost_plugin_fetched_total 2"));
  CHECK(has(open, "# TYPE skillhost_build info"));
  CHECK(has(open, "skillhost_build_info{version=\"1\"} 1"));
}

TEST_CASE("a unit is told of a family that ends with it alone") {
  Registry registry;
  registry.gauge({"skillhost_plugin_cache_bytes_total", {}}).set(1);
  registry.gauge({"skillhost_plugin_cache_bytes", {}}).set(1);
  registry.counter({"skillhost_plugin_sent_bytes_total", {}}).add(1);
  const std::string open = textOf(registry, MetricsForm::OpenMetrics);
  CHECK(has(open, "# TYPE skillhost_plugin_cache_bytes_total gauge"));
  CHECK(open.find("# UNIT skillhost_plugin_cache_bytes_total") == std::string::npos);
  CHECK(has(open, "# UNIT skillhost_plugin_cache_bytes bytes"));
  CHECK(has(open, "# UNIT skillhost_plugin_sent_bytes bytes"));
}

TEST_CASE("what is not to be told is left out, head and all") {
  Registry registry;
  registry.gauge({"skillhost_source_up", {{"source", "secret"}}}).set(1);
  registry.gauge({"skillhost_http_connections", {}}).set(std::numeric_limits<double>::infinity());
  const std::string text =
      metricsText(registry, MetricsForm::Prometheus,
                  [](const SeriesName &name) { return !name.labels.contains("source"); });
  CHECK(text.find("source") == std::string::npos);
  CHECK(has(text, "skillhost_http_connections +Inf"));
}
