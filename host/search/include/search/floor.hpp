// SPDX-License-Identifier: Apache-2.0
// The scores that hits must reach to be returned.
#pragma once

#include "plugin/search.hpp"

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace skillhost {

// Any thread.
class SearchFloor {
public:
  // The floor for backends whose scores can be compared between queries. It was chosen with
  // questions that have an answer and questions that have none, see
  // plugins/search/keyword/README.md.
  static constexpr double ofCalibrated = 0.35;
  // A hit below this score is marked as a bad fit. Questions about a neighbouring field share words
  // with a skill that does not answer them, so a good fit needs a higher score than a hit: see
  // doc/search.md.
  static constexpr double fittingOfCalibrated = 0.45;
  // If no hit reaches ofCalibrated, but the best one reaches this score, the best `weakHits` are
  // returned: the caller learns that they are bad fits and can judge them itself. Long questions
  // and skills without a body have low scores even where a skill fits. Below it the question is
  // about nothing here.
  static constexpr double weakOfCalibrated = 0.05;
  static constexpr std::size_t weakHits = 3;
  // An index with fewer entries drops no hit: the caller can judge the few hits itself, and hits
  // below the score are marked as bad fits.
  static constexpr std::size_t fewEntries = 100;

  struct Limits {
    double floor, weak;
  };

  // Without a score, the floor is ofCalibrated for backends with calibrated scores that hold at
  // least `fewEntries`, and other backends have none. With a score no weak hits are returned.
  void set(std::optional<double> score) noexcept { score_ = score.value_or(unset); }
  Limits of(bool calibrated, std::size_t entries) const noexcept {
    const double score = score_;
    if (score >= 0) return {score, score};
    if (calibrated && entries >= fewEntries) return {ofCalibrated, weakOfCalibrated};
    return {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  }

  // Hits below this score are marked as bad fits, however many entries the index holds. A score
  // given to set() replaces the built-in one here too, unless it is 0.
  double fitting(bool calibrated) const noexcept {
    const double score = score_;
    if (score > 0) return score;
    return calibrated ? fittingOfCalibrated : -std::numeric_limits<double>::infinity();
  }

private:
  static constexpr double unset = -1;
  std::atomic<double> score_{unset};
};

using SearchFloorPointer = std::shared_ptr<const SearchFloor>;

// `hits` are sorted, best first.
inline void dropBelow(const SearchFloor::Limits &limits, std::vector<SearchHit> &hits) {
  const bool isWeak = !hits.empty() && hits.front().score < limits.floor;
  const double least = isWeak ? limits.weak : limits.floor;
  std::erase_if(hits, [least](const SearchHit &hit) { return hit.score < least; });
  if (isWeak && hits.size() > SearchFloor::weakHits) hits.resize(SearchFloor::weakHits);
}

} // namespace skillhost
