// SPDX-License-Identifier: Apache-2.0
// How sure a difference between two ways of answering the same questions is.
#pragma once

#include <cstddef>
#include <vector>

namespace skillhost::evaluation {

struct Difference {
  double mean = 0;
  double low = 0, high = 0; // between which it is, with 95 % confidence
  // Nothing that the questions could have shown by chance.
  bool isSure() const noexcept { return low > 0 || high < 0; }
};

inline constexpr std::size_t resamples = 10'000;

// The mean of `differences`, one of each question, with a paired bootstrap interval (percentiles).
// The same questions give the same interval at any time, on any machine. All 0 without questions.
Difference bootstrap(const std::vector<double> &differences);

} // namespace skillhost::evaluation
