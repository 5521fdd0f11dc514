// SPDX-License-Identifier: Apache-2.0
// BM25F: what a term adds to the score of each entry that has it.
#pragma once

#include "query_terms.hpp"

namespace skillhost::keyword {

struct Bm25 {
  PerField<double> weights{};
  double k1 = 1.2;
  double b = 0.75;
};

// Where a term's scores are added, at which weight.
struct Target {
  float *scores; // by place
  float weight;
};

// Of the entries of one snapshot, which must outlive it.
class Scoring {
public:
  // `which` and `lengths` belong together, as `sums` does.
  Scoring(const Snapshot &snapshot, const Bm25 &bm25, const LengthSums &sums,
          Postings Segment::*which, PerField<std::vector<std::uint32_t>> Segment::*lengths);
  // To all entries of one segment, those that are gone included.
  void add(float rarity, const QueryTerms::InSegment &where, std::span<const Target> targets) const;
  // To one entry, at weight 1.
  float of(const QueryTerms &terms, std::uint32_t number, std::uint32_t place) const;

private:
  static constexpr std::size_t atOnce = 256;
  using Lengths = PerField<std::vector<std::uint32_t>>;
  float saturated(Counts counts, std::uint32_t compounds, const Lengths &lengths,
                  std::size_t entry) const;
  const float *dense(const Postings::Group &group, std::size_t segment) const; // null: not kept
  void score(Counts counts, const Lengths &lengths, std::span<const std::uint16_t> entries,
             float *scores) const;

  const Snapshot &snapshot_;
  Postings Segment::*const which_;
  Lengths Segment::*const lengths_;
  PerField<float> weights_{}, slopes_{}; // slope: how much a field's norm grows with each word
  float base_, k1_;
};

} // namespace skillhost::keyword
