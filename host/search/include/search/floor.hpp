// SPDX-License-Identifier: Apache-2.0
// The score below which a hit is none.
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
  // Of backends whose scores mean the same over queries; chosen on questions that have an answer
  // and questions that have none, see plugins/search/keyword/README.md.
  static constexpr double ofCalibrated = 0.35;
  // Below it a hit is told to fit badly. Questions about a neighbouring field share words with a
  // skill that does not answer them, so more is asked than for being found: see doc/search.md.
  static constexpr double fittingOfCalibrated = 0.45;
  // Among fewer entries nothing is left out: who asks can judge the few that come, and a hit below
  // the score is told to fit badly.
  static constexpr std::size_t fewEntries = 100;

  // Nothing: ofCalibrated for backends with calibrated scores that hold at least `fewEntries`, none
  // for others.
  void set(std::optional<double> score) noexcept { score_ = score.value_or(unset); }
  double of(bool calibrated, std::size_t entries) const noexcept {
    const double score = score_;
    if (score >= 0) return score;
    return calibrated && entries >= fewEntries ? ofCalibrated
                                               : -std::numeric_limits<double>::infinity();
  }

  // Hits below this score are said to fit badly, however many entries there are. A score that is
  // set decides this too, unless it is 0.
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

inline void dropBelow(double floor, std::vector<SearchHit> &hits) {
  std::erase_if(hits, [floor](const SearchHit &hit) { return hit.score < floor; });
}

} // namespace skillhost
