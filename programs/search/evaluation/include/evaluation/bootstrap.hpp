// SPDX-License-Identifier: Apache-2.0
// Estimates how certain a difference between two ways of answering the same questions is.
#pragma once

#include <cstddef>
#include <vector>

namespace skillhost::evaluation {

struct Difference {
  double mean = 0;
  double low = 0, high = 0; // bounds with 95 % confidence
  // True if the difference is not explained by the chance selection of questions.
  bool isSure() const noexcept { return low > 0 || high < 0; }
};

inline constexpr std::size_t resamples = 10'000;

// Returns the mean of `differences`, one for each question, with a paired bootstrap interval
// (percentiles). The same questions give the same interval at any time, on any machine. Everything
// is 0 without questions.
Difference bootstrap(const std::vector<double> &differences);

} // namespace skillhost::evaluation
