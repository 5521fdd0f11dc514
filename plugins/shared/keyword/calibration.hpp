// SPDX-License-Identifier: Apache-2.0
// In: how much speaks for the first hits of a query, and the scores of all. Out: scores from 0 to 1
// that mean the same over queries.
#pragma once

#include "names.hpp"

#include <limits>

namespace skillhost::keyword {

// How the words of a query fit one of its hits.
struct Evidence {
  // Its score, where 1 is the most that a word adds which one entry alone has.
  double strength = 0;
  // The share of the query's information that it has, in whichever field.
  double coverage = 0;
  double logStrength() const noexcept; // finite
};

// How likely it is that the hit fits, as log odds; chosen by calibration_fit.
double fitByWords(const Evidence &evidence) noexcept;

// What a hit loses in log odds when its score falls by a factor of e.
inline constexpr double steepness = 3.0;

// So many of the first hits are judged: what is said in a body alone is often not the first, since
// names that are spelt alike weigh more.
inline constexpr std::size_t judgedHits = 10;

// The scores of one query: in the order of the raw ones, all from 0 to 1.
class Scale {
public:
  explicit Scale(double best) noexcept : best_(best) {} // the greatest raw score
  // A hit of this raw score fits at least as likely as that; those before it are likelier still.
  void judge(double odds, double score) noexcept;
  // What is asked for by its name comes before all others.
  double of(double score, NameMatch name) const noexcept;

private:
  double best_;
  double fit_ = -std::numeric_limits<double>::infinity(); // of the best, as log odds
};

} // namespace skillhost::keyword
