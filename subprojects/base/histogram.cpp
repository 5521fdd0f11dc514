// SPDX-License-Identifier: Apache-2.0
#include "base/histogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace skillhost::metrics {
namespace {

constexpr std::array durations{1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3,
                               2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 1e-1, 2e-1, 5e-1, 1.0,  2.0,
                               5.0,  1e1,  2e1,  5e1,  1e2,  2e2,  5e2,  1e3,  2e3};
constexpr std::array values{1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3,
                            1e-2, 2e-2, 5e-2, 1e-1, 2e-1, 5e-1, 1.0,  2.0,  5.0,  1e1,  2e1,  5e1,
                            1e2,  2e2,  5e2,  1e3,  2e3,  5e3,  1e4,  2e4,  5e4,  1e5,  2e5,  5e5,
                            1e6,  2e6,  5e6,  1e7,  2e7,  5e7,  1e8,  2e8,  5e8,  1e9};

} // namespace

constinit const Bounds durationBounds{durations};
constinit const Bounds valueBounds{values};

Histogram::Histogram(Bounds bounds)
    : bounds_(bounds), counts_(new std::atomic<std::uint64_t>[bounds.size() + 1] {}) {}

void Histogram::observe(double value) noexcept {
  if (std::isnan(value)) return;
  const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
  counts_[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
  double most = max_.load(std::memory_order_relaxed);
  while (value > most && !max_.compare_exchange_weak(most, value, std::memory_order_relaxed)) {}
}

HistogramSnapshot Histogram::snapshot() const {
  HistogramSnapshot now;
  now.bounds = bounds_;
  now.counts.resize(bounds_.size() + 1);
  for (std::size_t i = 0; i < now.counts.size(); ++i)
    now.count += now.counts[i] = counts_[i].load(std::memory_order_relaxed);
  now.sum = sum_.load(std::memory_order_relaxed);
  now.max = max_.load(std::memory_order_relaxed);
  return now;
}

double HistogramSnapshot::quantile(double q) const noexcept {
  if (count == 0) return 0;
  const double rank = q * static_cast<double>(count);
  double below = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto here = static_cast<double>(counts[i]);
    if (here > 0 && below + here >= rank) {
      const double from = i == 0 ? 0 : bounds[i - 1], to = std::min(bounds[i], max);
      return std::max(0.0, from + (to - from) * (rank - below) / here);
    }
    below += here;
  }
  return max;
}

} // namespace skillhost::metrics
