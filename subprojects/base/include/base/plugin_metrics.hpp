// SPDX-License-Identifier: Apache-2.0
// The figures of one plugin instance: how its calls go, and what it reports itself.
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

// Any thread. Two of the same instance name count in the same series.
class PluginMetrics {
public:
  static constexpr std::size_t mostReported = 100; // series that one instance may name

  explicit PluginMetrics(std::string instance, Registry &registry = all());

  // A call was put into the executor's queue; it was taken out of it. In pairs, in any order.
  void queued() noexcept { waiting_.add(1); }
  void began() noexcept { waiting_.add(-1); }
  // A call has ended: so long in the queue, so long in the plugin; null when it went well.
  void finished(std::chrono::nanoseconds queued, std::chrono::nanoseconds ran,
                const Failure *failure);
  // A call was refused because the queue was full.
  void refused() noexcept { refused_.add(); }
  // What the plugin says: a series skillhost_plugin_NAME with the label instance, '.' and '-' in
  // NAME written as '_'. Ignored: other names than [a-zA-Z_][a-zA-Z0-9_.-]* of at most 64 bytes,
  // one more than the limit, a value that is no number, a counter that would go back.
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
