// SPDX-License-Identifier: Apache-2.0
#include "base/plugin_metrics.hpp"

#include "base/fault.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skillhost::metrics {
namespace {

constexpr std::size_t maxReportedBytes = 64; // bytes of a name

} // namespace

PluginMetrics::PluginMetrics(std::string instance, Registry &registry)
    : instance_(std::move(instance)), registry_(registry),
      waiting_(registry.gauge({"skillhost_instance_waiting_calls", {{"instance", instance_}}})),
      refused_(registry.counter({"skillhost_instance_refused_total", {{"instance", instance_}}})),
      queue_(registry.histogram({"skillhost_instance_queue_seconds", {{"instance", instance_}}})),
      call_(registry.histogram({"skillhost_instance_call_seconds", {{"instance", instance_}}})) {}

void PluginMetrics::finished(std::chrono::nanoseconds queued, std::chrono::nanoseconds ran,
                             const Failure *failure) {
  queue_.observe(queued);
  call_.observe(ran);
  if (failure == nullptr) return;
  registry_
      .counter({"skillhost_instance_failures_total",
                {{"instance", instance_}, {"code", std::string(describe(failure->fault).code)}}})
      .add();
}

bool PluginMetrics::known(const std::string &name) {
  const std::scoped_lock lock(mutex_);
  if (reported_.contains(name)) return true;
  if (reported_.size() >= maxReportedSeries || !goodName(name)) return false;
  reported_.insert(name);
  return true;
}

void PluginMetrics::report(Kind kind, std::string_view name, double value) noexcept {
  try {
    // Authors write "cache.hits", but metric names have no dots.
    std::string own(name.substr(0, maxReportedBytes));
    std::replace_if(own.begin(), own.end(), [](char c) { return c == '.' || c == '-'; }, '_');
    if (!std::isfinite(value) || name.size() > maxReportedBytes || !known(own)) return;
    SeriesName series{"skillhost_plugin_" + own, {{"instance", instance_}}};
    switch (kind) {
    case Kind::Counter:
      if (value >= 0) registry_.counter(std::move(series)).add(value);
      break;
    case Kind::Gauge:
      registry_.gauge(std::move(series)).set(value);
      break;
    case Kind::Histogram:
      registry_.histogram(std::move(series), valueBounds).observe(value);
      break;
    }
  } catch (...) {
    return; // out of memory: lose the metric, not the plugin's call
  }
}

} // namespace skillhost::metrics
