// SPDX-License-Identifier: Apache-2.0
// The metrics of one plugin instance: its calls, and the values that it reports.
#pragma once

#include "base/metrics.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace skillhost::metrics {

// May be used on any thread. Two objects with the same instance name share the series.
class PluginMetrics {
public:
  static constexpr std::size_t maxReportedSeries = 100; // the most series that an instance may name

  explicit PluginMetrics(std::string instance, Registry &registry = all());

  // Call queued() when a call enters the executor's queue, and began() when it leaves. They come in
  // pairs, in any order.
  void queued() noexcept { waiting_.add(1); }
  void began() noexcept { waiting_.add(-1); }
  // Records the end of a call: the time in the queue, the time in the plugin, and the failure;
  // null: success.
  void finished(std::chrono::nanoseconds queued, std::chrono::nanoseconds ran,
                const Failure *failure);
  // Records a call that was refused because the queue was full.
  void refused() noexcept { refused_.add(); }
  // Sets a series skillhost_plugin_NAME with the label instance; '.' and '-' in NAME become '_'.
  // Ignores names other than [a-zA-Z_][a-zA-Z0-9_.-]* of at most 64 bytes, series above the limit,
  // values that are not numbers, and counters that would decrease.
  void report(Kind kind, std::string_view name, double value) noexcept;

private:
  bool known(const std::string &name);

  const std::string instance_;
  Registry &registry_;
  Gauge &waiting_;
  Counter &refused_;
  Histogram &queue_, &call_;
  std::mutex mutex_;
  std::set<std::string> reported_;
};

} // namespace skillhost::metrics
