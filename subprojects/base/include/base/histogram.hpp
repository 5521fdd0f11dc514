// SPDX-License-Identifier: Apache-2.0
// Histogram: the distribution of values over fixed buckets. observe() takes no lock. May be used on
// any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace skillhost::metrics {

// Ascending upper bounds, each included in its bucket. One more bucket follows the last bound. Must
// outlive the histogram.
using Bounds = std::span<const double>;
extern const Bounds durationBounds; // seconds: 1, 2, 5 times powers of ten, 1 µs to 2,000 s
extern const Bounds valueBounds;    // the same steps without a unit, 1e-6 to 1e9

struct HistogramSnapshot {
  Bounds bounds;
  std::vector<std::uint64_t> counts; // one more than bounds
  std::uint64_t count = 0;           // sum of `counts`
  double sum = 0, max = 0;           // max is 0 without values
  // Returns the value below which the share `q` of all values lies, interpolated between the bounds
  // of its bucket and never above `max`. Returns 0 without values.
  double quantile(double q) const noexcept;
};

class Histogram {
public:
  explicit Histogram(Bounds bounds);

  void observe(double value) noexcept;
  void observe(std::chrono::nanoseconds span) noexcept {
    observe(static_cast<double>(span.count()) / 1e9);
  }
  // A value that is observed at the same time may be missing.
  HistogramSnapshot snapshot() const;

private:
  Bounds bounds_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> counts_;
  std::atomic<double> sum_{0}, max_{0};
};

} // namespace skillhost::metrics
