// SPDX-License-Identifier: Apache-2.0
// In: how much speaks for the best hit of a query, and the scores of its hits. Out: scores from 0
// to 1 that mean the same over queries.
#pragma once

#include "names.hpp"

namespace skillhost::keyword {

// What a query finds by its words.
struct Evidence {
  // The best score, where 1 is the most that a word adds which one entry alone has.
  double strength = 0;
  // The share of the query's information that stands in the name, keywords and description of the
  // best hit.
  double coverage = 0;
  double logStrength() const noexcept; // finite
};

// How likely it is that the best hit fits, as log odds; chosen by calibration_fit.
double fitByWords(const Evidence &evidence) noexcept;

// What a hit loses in log odds when its score falls by a factor of e.
inline constexpr double steepness = 3.0;

// The scores of one query: in the order of the raw ones, all from 0 to 1.
class Scale {
public:
  Scale(double fitOfBest, double best) noexcept // `best`: the greatest raw score
      : fit_(fitOfBest), best_(best) {}
  // What is asked for by its name comes before all others.
  double of(double score, NameMatch name) const noexcept;

private:
  double fit_, best_;
};

} // namespace skillhost::keyword
