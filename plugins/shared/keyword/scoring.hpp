// SPDX-License-Identifier: Apache-2.0
// BM25F computes how much a term adds to the score of each entry that contains it.
#pragma once

#include "query_terms.hpp"

namespace skillhost::keyword {

struct Bm25 {
  PerField<double> weights{};
  double k1 = 1.2;
  double b = 0.75;
};

// Destination of a term's scores, and their weight.
struct Target {
  float *scores; // by place
  float weight;
};

// Scores entries of one snapshot, which must outlive it.
class Scoring {
public:
  // `which`, `lengths` and `sums` must all belong to words, or all to runs.
  Scoring(const Snapshot &snapshot, const Bm25 &bm25, const LengthSums &sums,
          Postings Segment::*which, PerField<std::vector<std::uint32_t>> Segment::*lengths);
  // Adds to the scores of all entries of one segment, removed ones included.
  void add(float rarity, const QueryTerms::InSegment &where, std::span<const Target> targets) const;
  // Returns the term's score for one entry, at weight 1.
  float of(const QueryTerms &terms, std::uint32_t number, std::uint32_t place) const;

private:
  static constexpr std::size_t atOnce = 256;
  using Lengths = PerField<std::vector<std::uint32_t>>;
  float saturated(Counts counts, std::uint32_t compounds, const Lengths &lengths,
                  std::size_t entry) const;
  // Null if they are not kept.
  const float *dense(const Postings::Group &group, std::size_t segment) const;
  void score(Counts counts, const Lengths &lengths, std::span<const std::uint16_t> entries,
             float *scores) const;

  const Snapshot &snapshot_;
  Postings Segment::*const which_;
  Lengths Segment::*const lengths_;
  PerField<float> weights_{}, slopes_{}; // slope: growth of a field's norm with each word
  float base_, k1_;
};

} // namespace skillhost::keyword
