// SPDX-License-Identifier: Apache-2.0
#include "evaluation/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

namespace skillhost::evaluation {
namespace {

constexpr std::uint32_t seed = 1;
constexpr double confidence = 0.95;

} // namespace

Difference bootstrap(const std::vector<double> &differences) {
  if (differences.empty()) return {};
  const auto count = static_cast<double>(differences.size());
  std::mt19937 random(seed); // the standard defines its numbers, unlike those of distributions
  const auto any = [&] {
    return static_cast<std::size_t>(std::uint64_t{random()} * differences.size() >> 32U);
  };
  std::vector<double> means(resamples);
  for (double &mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) sum += differences[any()];
    mean = sum / count;
  }
  std::sort(means.begin(), means.end());
  const auto at = [&](double part) {
    return means[static_cast<std::size_t>(std::lround(part * static_cast<double>(resamples - 1)))];
  };
  return {std::accumulate(differences.begin(), differences.end(), 0.0) / count,
          at((1 - confidence) / 2), at((1 + confidence) / 2)};
}

} // namespace skillhost::evaluation
