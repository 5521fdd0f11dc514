// SPDX-License-Identifier: Apache-2.0
// Computes how much a term adds to the score of each entry that contains it, by BM25 in two forms:
// BM25F adds the occurrences of all fields before they saturate, and a term has one rarity. The
// other form takes each field by itself, with a rarity of its own, and adds the scores.
#pragma once

#include "query_terms.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
  bool takesBodies = true; // false: occurrences in bodies add nothing, if fields are apart
};

// Scores entries of one snapshot, which must outlive it.
class Scoring {
public:
  enum class Kind : std::uint8_t { Words, Runs, WordsApart }; // WordsApart: each field by itself

  Scoring(const Snapshot &snapshot, const Bm25 &bm25, Kind kind);
  // Returns the term's rarity in each field, which is the same for all unless they are apart.
  PerField<float> raritiesOf(const QueryTerms &terms, std::uint32_t number) const;
  // Adds the term's scores to those of all entries of one segment, removed ones included.
  void add(const PerField<float> &rarities, const QueryTerms::InSegment &where,
           std::span<const Target> targets) const;
  // Returns the part of each field in the term's score for one entry, at weight 1.
  PerField<float> of(const QueryTerms &terms, std::uint32_t number, std::uint32_t place) const;

private:
  static constexpr std::size_t atOnce = 256;
  using Lengths = PerField<Column<std::uint32_t>>;
  // Returns what each field adds to a term's score for one entry.
  PerField<float> fieldsOf(Counts counts, std::uint32_t compounds, const PerField<float> &rarities,
                           const Lengths &lengths, std::size_t entry) const;
  void addGroup(const Postings::Group &group, float rarity, const QueryTerms::InSegment &where,
                std::span<const Target> targets) const;
  // Null if they are not kept.
  const float *dense(const Postings::Group &group, std::size_t segment) const;
  void score(Counts counts, const Lengths &lengths, std::span<const std::uint16_t> entries,
             float *scores) const;

  const Snapshot &snapshot_;
  const Kind kind_;
  Postings Segment::*const which_;
  Lengths Segment::*const lengths_;
  PerField<float> weights_{}, slopes_{}; // slope: growth of a field's norm with each word
  float base_, k1_;
};

} // namespace skillhost::keyword
