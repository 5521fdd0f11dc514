// SPDX-License-Identifier: Apache-2.0
// The usual measures of a ranking against what is known to be relevant, relevance being yes or no.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace skillhost::retrieval {

inline constexpr std::size_t depth = 10; // how much of a ranking is looked at

// Means over the questions added; all are from 0 to 1.
class Measures {
public:
  void add(const std::vector<std::string> &ranking, const std::set<std::string> &relevant);

  std::size_t count() const noexcept { return count_; }
  double hit() const noexcept { return mean(hit_); } // the first is relevant
  double reciprocalRank() const noexcept { return mean(reciprocalRank_); }
  double gain() const noexcept { return mean(gain_); } // nDCG@10
  double recall() const noexcept { return mean(recall_); }

private:
  double mean(double sum) const noexcept {
    return count_ == 0 ? 0 : sum / static_cast<double>(count_);
  }
  std::size_t count_ = 0;
  double hit_ = 0, reciprocalRank_ = 0, gain_ = 0, recall_ = 0;
};

} // namespace skillhost::retrieval
