// SPDX-License-Identifier: Apache-2.0
// In: the term counts of all entries. Out: for each term the entries that have it, with the BM25F
// score it gives them, worked out beforehand.
#pragma once

#include "fields.hpp"
#include "term_table.hpp"

#include <functional>
#include <span>

namespace skillhost::keyword {

struct Posting {
  std::uint32_t entry; // position in the snapshot
  float score;         // what one occurrence of the term in a query adds
};

struct Bm25 {
  PerField<double> weights{};
  double k1 = 1.2;
  double b = 0.75;
};

// The term counts of one entry: those kept with it and those of its compounds.
struct EntryTerms {
  const TermVector *own;
  const TermVector *extra; // may be null
};

// Immutable once made: any thread may read.
class Postings {
public:
  Postings() = default;
  // Calls `checkpoint` now and then; it may throw to give the work up.
  Postings(const TermTable &table, std::span<const EntryTerms> entries, const Bm25 &bm25,
           const std::function<void()> &checkpoint);

  std::optional<std::uint32_t> find(std::string_view term) const noexcept {
    return lookup_.find(term);
  }
  // Both need a number from find(). The entries ascend.
  std::span<const Posting> of(std::uint32_t term) const noexcept {
    return std::span(postings_).subspan(begins_[term], begins_[term + 1] - begins_[term]);
  }
  float rarity(std::uint32_t term) const noexcept { return rarities_[term]; }
  std::size_t terms() const noexcept { return rarities_.size(); }

private:
  TermLookup lookup_;
  std::vector<std::uint32_t> begins_; // of term i in postings_
  std::vector<float> rarities_;       // inverse document frequency
  std::vector<Posting> postings_;
};

} // namespace skillhost::keyword
