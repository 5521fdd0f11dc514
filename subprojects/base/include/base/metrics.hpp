// SPDX-License-Identifier: Apache-2.0
// Metrics of the running program: counters, gauges and histograms in named series with labels, as
// in Prometheus. May be used on any thread.
#pragma once

#include "base/histogram.hpp"

#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace skillhost::metrics {

enum class Kind : std::uint8_t { Counter, Gauge, Histogram };

class Counter {
public:
  void add(double by = 1) noexcept { count_.fetch_add(by, std::memory_order_relaxed); }
  double value() const noexcept { return count_.load(std::memory_order_relaxed); }

private:
  std::atomic<double> count_{0};
};

// A gauge that is set to NaN is hidden, because its subject no longer exists.
class Gauge {
public:
  void set(double value) noexcept { value_.store(value, std::memory_order_relaxed); }
  void add(double by) noexcept { value_.fetch_add(by, std::memory_order_relaxed); }
  double value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
  std::atomic<double> value_{0};
};

using Labels = std::map<std::string, std::string>;
struct SeriesName {
  std::string name; // [a-zA-Z_][a-zA-Z0-9_]*, at most 100 bytes
  Labels labels;    // names in the same form, any values
  auto operator<=>(const SeriesName &) const = default;
};
// Returns true if the text is a valid name of a series or a label.
bool goodName(std::string_view name) noexcept;

// Holds the series, which live as long as it does and never move. Finding a series takes a lock, so
// keep the reference. It is bounded: above the limit, for an invalid name, or for a name of another
// kind, the caller gets a series that counts but is never shown.
class Registry {
public:
  explicit Registry(std::size_t maxSeries = 4096) : maxSeries_(maxSeries) {}

  Counter &counter(SeriesName name);
  Gauge &gauge(SeriesName name);
  Histogram &histogram(SeriesName name, Bounds bounds = durationBounds);

  struct Value {
    SeriesName name;
    Kind kind;
    double number = 0;           // value of a counter or gauge
    HistogramSnapshot histogram; // value of a histogram
  };
  // Returns the series sorted by name, then by labels, so that those of one name are neighbours.
  // Runs every collector first.
  std::vector<Value> snapshot() const;

  // A collector fetches figures on demand, for example from the kernel. `refresh` sets series of
  // this registry on the thread of each snapshot(), one at a time, until the returned object is
  // released, which waits for a running one. It must neither add nor remove a collector.
  using Collector = std::shared_ptr<const void>;
  [[nodiscard]] Collector collect(std::function<void()> refresh);
  // Returns how often a requested series was not available.
  double dropped() const noexcept { return dropped_.value(); }

private:
  using Series = std::variant<Counter, Gauge, Histogram>; // in the order of Kind
  template <class Of, class... Arguments>
  Of &find(Kind kind, SeriesName name, Of &unseen, Arguments... arguments);
  bool mayAdd(Kind kind, const SeriesName &name) const;

  struct Collectors {
    std::mutex mutex;
    std::uint64_t last = 0;
    std::map<std::uint64_t, std::function<void()>> all;
  };

  const std::shared_ptr<Collectors> collectors_ = std::make_shared<Collectors>();
  const std::size_t maxSeries_;
  mutable std::mutex mutex_;
  std::map<SeriesName, std::unique_ptr<Series>> series_;
  std::map<std::string, Kind> kinds_; // kind of each name, whatever its labels
  Counter dropped_, unseenCounter_;
  Gauge unseenGauge_;
  Histogram unseenHistogram_{durationBounds};
};

// The registry of the process. Never destroyed, because threads of plugins may count until the end.
Registry &all();

} // namespace skillhost::metrics
