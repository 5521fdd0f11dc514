// SPDX-License-Identifier: Apache-2.0
// Histogram: how values are spread over fixed buckets. Lock-free to observe; any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace skillhost::metrics {

// Ascending upper bounds, each included in its bucket; beyond the last there is one bucket more.
// Must outlive the histogram.
using Bounds = std::span<const double>;
extern const Bounds durationBounds; // seconds: 1, 2, 5 times powers of ten, 1 µs to 2,000 s
extern const Bounds valueBounds;    // of anything: the same steps, 1e-6 to 1e9

struct HistogramSnapshot {
  Bounds bounds;
  std::vector<std::uint64_t> counts; // one more than bounds
  std::uint64_t count = 0;           // the sum of counts
  double sum = 0, max = 0;           // max: 0 when there is nothing
  // The value that the part `q` of all values lies at or below, between the bounds of its bucket by
  // proportion; never above max. 0 when there is nothing.
  double quantile(double q) const noexcept;
};

class Histogram {
public:
  explicit Histogram(Bounds bounds);

  void observe(double value) noexcept;
  void observe(std::chrono::nanoseconds span) noexcept {
    observe(static_cast<double>(span.count()) / 1e9);
  }
  // Of values observed meanwhile each is in it or not.
  HistogramSnapshot snapshot() const;

private:
  Bounds bounds_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> counts_;
  std::atomic<double> sum_{0}, max_{0};
};

} // namespace skillhost::metrics
