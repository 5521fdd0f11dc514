// SPDX-License-Identifier: Apache-2.0
#include "otlp_metrics.hpp"

#include "base/metric_help.hpp"
#include "ground/json_text.hpp"
#include "otlp_text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::telemetry {
namespace {

using metrics::Kind;
using Value = metrics::Registry::Value;

constexpr std::string_view requests = "skillhost_request_seconds";

std::string_view nameOf(std::string_view name) {
  return name == requests ? "mcp.server.operation.duration" : name;
}

std::string attributesOfSeries(const Value &value) {
  Attributes attributes;
  for (const auto &[name, text] : value.name.labels) {
    const bool isMethod = value.name.name == requests && name == "method";
    attributes.add(isMethod ? "mcp.method.name" : std::string_view(name), text);
  }
  return attributes.list();
}

std::string times(std::int64_t since, std::int64_t now) {
  return R"("startTimeUnixNano":")" + std::to_string(since) + R"(","timeUnixNano":")" +
         std::to_string(now) + '"';
}

std::string numberOf(double value) {
  if (std::isnan(value)) return R"("NaN")"; // ProtoJSON writes numbers that JSON lacks as text
  if (std::isinf(value)) return value > 0 ? R"("Infinity")" : R"("-Infinity")";
  return Json(value).dump();
}

std::string histogramOf(const metrics::HistogramSnapshot &from) {
  std::string counts, bounds;
  for (const std::uint64_t count : from.counts)
    counts += (counts.empty() ? "\"" : ",\"") + std::to_string(count) + '"';
  for (const double bound : from.bounds) bounds += (bounds.empty() ? "" : ",") + numberOf(bound);
  return R"("count":")" + std::to_string(from.count) + R"(","sum":)" + numberOf(from.sum) +
         R"(,"max":)" + numberOf(from.max) + R"(,"bucketCounts":[)" + counts +
         R"(],"explicitBounds":[)" + bounds + ']';
}

std::string pointOf(const Value &value, std::int64_t since, std::int64_t now) {
  std::string out = R"({"attributes":)" + attributesOfSeries(value) + ',' + times(since, now) + ',';
  if (value.kind == Kind::Histogram) return out + histogramOf(value.histogram) + '}';
  return out + R"("asDouble":)" + numberOf(value.number) + '}';
}

// Returns the beginning of a metric, up to its points.
std::string beginning(const Value &value) {
  const std::string_view unit = metrics::unitOf(value.name.name);
  std::string out = R"({"name":)";
  appendJsonString(out, nameOf(value.name.name));
  out += R"(,"description":)";
  appendJsonString(out, metrics::helpOf(value.name.name));
  out += std::string(R"(,"unit":")") +
         (unit == "seconds" ? "s"
          : unit == "bytes" ? "By"
                            : "") +
         '"';
  switch (value.kind) {
  case Kind::Counter:
    return out + R"(,"sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[)";
  case Kind::Gauge:
    return out + R"(,"gauge":{"dataPoints":[)";
  case Kind::Histogram:
    break;
  }
  return out + R"(,"histogram":{"aggregationTemporality":2,"dataPoints":[)";
}

} // namespace

Elements metricElements(const metrics::Registry &registry, std::int64_t since, std::int64_t now) {
  Elements out;
  std::string_view name;
  const std::vector<Value> values = registry.snapshot();
  for (const Value &value : values) {
    if (value.kind == Kind::Histogram && value.histogram.count == 0) continue;
    if (value.name.name == name)
      out.text += ',';
    else
      out.text += (out.count == 0 ? "" : "]}},") + beginning(value);
    name = value.name.name;
    out.text += pointOf(value, since, now);
    ++out.count;
  }
  if (out.count != 0) out.text += "]}}";
  return out;
}

} // namespace skillhost::telemetry
