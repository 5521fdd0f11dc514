// SPDX-License-Identifier: Apache-2.0
#include "statistics_figures.hpp"

#include "base/metrics.hpp"
#include "mcp/hidden_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace skillhost {
namespace {

using metrics::Registry;

constexpr std::string_view reportedPrefix = "skillhost_plugin_";

// Converts seconds to milliseconds with whole microseconds.
double milliseconds(double seconds) { return std::round(seconds * 1e6) / 1e3; }

void addTimes(Json &to, const metrics::HistogramSnapshot &times) {
  if (times.count == 0) return;
  to["p50_ms"] = milliseconds(times.quantile(0.50));
  to["p95_ms"] = milliseconds(times.quantile(0.95));
  to["p99_ms"] = milliseconds(times.quantile(0.99));
  to["max_ms"] = milliseconds(times.max);
}

// Writes a number without a fraction as an integer.
Json plain(double number) {
  const bool whole = std::abs(number) < 9e15 && number == std::floor(number);
  return whole ? Json(static_cast<std::int64_t>(number)) : Json(number);
}

Json distribution(const metrics::HistogramSnapshot &values) {
  return {{"count", values.count},
          {"sum", values.sum},
          {"p50", values.quantile(0.50)},
          {"p99", values.quantile(0.99)},
          {"max", values.max}};
}

void addInstance(Json &instances, const Registry::Value &value) {
  const std::string &name = value.name.name;
  Json &one = instances[value.name.labels.at("instance")];
  if (name.starts_with(reportedPrefix))
    one["reported"][name.substr(reportedPrefix.size())] = value.kind == metrics::Kind::Histogram
                                                              ? distribution(value.histogram)
                                                              : plain(value.number);
  else if (name == "skillhost_instance_call_seconds") {
    one["calls"] = value.histogram.count;
    addTimes(one["call"] = Json::object(), value.histogram);
  } else if (name == "skillhost_instance_queue_seconds")
    addTimes(one["queue"] = Json::object(), value.histogram);
  else if (name == "skillhost_instance_failures_total")
    one["failures"][value.name.labels.at("code")] = plain(value.number);
  else if (name == "skillhost_instance_waiting_calls")
    one["waiting"] = plain(value.number);
  else if (name == "skillhost_instance_refused_total")
    one["refused"] = plain(value.number);
}

Json &toolAt(Json &tools, const std::string &name) {
  if (!tools.contains(name)) tools[name] = {{"count", 0}, {"failures", Json::object()}};
  return tools[name];
}

} // namespace

bool countsHiddenSkills(const metrics::SeriesName &name) {
  constexpr std::array<std::string_view, 6> families{"skillhost_catalogue_", "skillhost_review_",
                                                     "skillhost_search_",    "skillhost_searches_",
                                                     "skillhost_tool_",      "skillhost_usage_"};
  constexpr std::array<std::string_view, 7> methods{
      "call_tool",      "prompts/get", "resources/directory/read",
      "resources/read", "skills/get",  "resources/subscribe",
      "tools/call"};
  if (name.labels.contains("source") || name.labels.contains("instance")) return true;
  if (std::any_of(families.begin(), families.end(),
                  [&](std::string_view one) { return name.name.starts_with(one); }))
    return true;
  const auto method = name.labels.find("method");
  return method != name.labels.end() &&
         std::find(methods.begin(), methods.end(), method->second) != methods.end();
}

CallStatistics callStatistics(StatisticsScope of) {
  CallStatistics out{Json::object(), Json::object(), Json::object()};
  for (const Registry::Value &value : metrics::all().snapshot()) {
    if (of == StatisticsScope::SeenSkills && countsHiddenSkills(value.name)) continue;
    const auto &[name, labels] = value.name;
    if (name == "skillhost_request_seconds") {
      if (value.histogram.count != 0) out.methods[labels.at("method")] = value.histogram.count;
    } else if (name == "skillhost_tool_seconds") {
      Json &tool = toolAt(out.tools, labels.at("tool"));
      tool["count"] = value.histogram.count;
      addTimes(tool, value.histogram);
    } else if (name == "skillhost_tool_failures_total") {
      toolAt(out.tools, labels.at("tool"))["failures"][labels.at("code")] = plain(value.number);
    } else if (labels.contains("instance")) {
      addInstance(out.instances, value);
    }
  }
  return out;
}

} // namespace skillhost
