// SPDX-License-Identifier: Apache-2.0
// Calibration takes the evidence for the first hits of a query and all raw scores. It returns
// scores from 0 to 1 that are comparable between queries.
#pragma once

#include "names.hpp"

#include <limits>

namespace skillhost::keyword {

// Evidence says how well the words of a query fit one of its hits.
struct Evidence {
  // Score of the hit, where 1 is the most that a word found in only one entry can add.
  double strength = 0;
  // Share of the query's information that the hit contains, in any field.
  double coverage = 0;
  double logStrength() const noexcept; // finite
};

// Estimates how likely the hit fits, as log odds. The benchmark calibration_fit chose the
// coefficients.
double fitByWords(const Evidence &evidence) noexcept;

// Log odds that a hit loses if its score falls by a factor of e.
inline constexpr double steepness = 3.0;

// Number of first hits that are judged. A hit that has the words only in its body is often not the
// first, because names that are spelt alike weigh more.
inline constexpr std::size_t judgedHits = 10;

// Returns how much words count that an entry lacks, by the average number of words in the bodies: 1
// from 50 words on, and evenly less down to 0.5 for bare descriptions, which hardly share a word
// even with a question that they answer. Negative log odds are multiplied by it.
double weightOfMissingWords(double averageBody) noexcept;

// Maps the raw scores of one query to scores from 0 to 1 and keeps their order.
class Scale {
public:
  // `best` is the greatest raw score; see weightOfMissingWords().
  explicit Scale(double best, double missing = 1) noexcept : best_(best), missing_(missing) {}
  // Reports the odds of a hit with this raw score. Hits before it are at least as likely to fit.
  void addHit(double odds, double score) noexcept;
  // An entry whose name is asked for scores higher than all others.
  double of(double score, NameMatch name) const noexcept;

private:
  double best_, missing_;
  double fit_ = -std::numeric_limits<double>::infinity(); // log odds of the best hit
};

} // namespace skillhost::keyword
