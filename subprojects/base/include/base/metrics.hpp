// SPDX-License-Identifier: Apache-2.0
// Figures of the running program: counters, gauges and histograms in named series with labels, as
// Prometheus has them. Any thread.
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

// One that is set to NaN is not shown: what it told of is no more.
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
  Labels labels;    // names as above; any values
  auto operator<=>(const SeriesName &) const = default;
};
// Whether it may name a series or a label.
bool goodName(std::string_view name) noexcept;

// Holds the series; they live as long as it does, at one place. Finding one takes a lock: keep the
// reference. Bounded: past the limit, under a bad name, or under a name that is of another kind,
// the caller gets a series that counts and is never shown.
class Registry {
public:
  explicit Registry(std::size_t mostSeries = 4096) : most_(mostSeries) {}

  Counter &counter(SeriesName name);
  Gauge &gauge(SeriesName name);
  Histogram &histogram(SeriesName name, Bounds bounds = durationBounds);

  struct Value {
    SeriesName name;
    Kind kind;
    double number = 0;           // of a counter or gauge
    HistogramSnapshot histogram; // of a histogram
  };
  // Sorted by name, then labels; those of one name stand together. Has every collector set its
  // series first.
  std::vector<Value> snapshot() const;

  // What has to be asked for a figure, such as the kernel, is asked when somebody wants to know.
  // `refresh` sets series of this registry: on the thread of each snapshot(), one at a time, until
  // what is returned is let go of, which waits for one that runs. It neither adds nor removes a
  // collector.
  using Collector = std::shared_ptr<const void>;
  [[nodiscard]] Collector collect(std::function<void()> refresh);
  // How often a series was asked for that could not be had.
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
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::map<SeriesName, std::unique_ptr<Series>> series_;
  std::map<std::string, Kind> kinds_; // by name, whatever the labels
  Counter dropped_, unseenCounter_;
  Gauge unseenGauge_;
  Histogram unseenHistogram_{durationBounds};
};

// The registry of the process. Never destroyed: threads of plugins may count until the end.
Registry &all();

} // namespace skillhost::metrics
