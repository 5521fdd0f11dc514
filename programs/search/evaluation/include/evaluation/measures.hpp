// SPDX-License-Identifier: Apache-2.0
// The usual measures of a ranking against the known relevant items. Relevance is yes or no.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace skillhost::evaluation {

inline constexpr std::size_t depth = 10; // length of a ranking that counts

// The measures of one question, all from 0 to 1; `hit` is 0 or 1.
struct Measured {
  double hit = 0;            // 1: the first item is relevant
  double reciprocalRank = 0; // of the first relevant item
  double gain = 0;           // nDCG@10; the ideal has all relevant items, at most ten
  double recall = 0;         // Recall@10
  std::size_t rank = 0;      // of the first relevant item, from 1; 0: none among the first ten
};

// `relevant` must not be empty.
Measured measured(const std::vector<std::string> &ranking, const std::set<std::string> &relevant);

// The means over the added questions.
class Measures {
public:
  void add(const Measured &question);
  void add(const std::vector<std::string> &ranking, const std::set<std::string> &relevant) {
    add(measured(ranking, relevant));
  }

  std::size_t count() const noexcept { return count_; }
  double hit() const noexcept { return mean(sums_.hit); }
  double reciprocalRank() const noexcept { return mean(sums_.reciprocalRank); }
  double gain() const noexcept { return mean(sums_.gain); }
  double recall() const noexcept { return mean(sums_.recall); }

private:
  double mean(double sum) const noexcept {
    return count_ == 0 ? 0 : sum / static_cast<double>(count_);
  }
  std::size_t count_ = 0;
  Measured sums_; // without `rank`
};

} // namespace skillhost::evaluation
