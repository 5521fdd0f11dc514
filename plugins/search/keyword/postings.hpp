// SPDX-License-Identifier: Apache-2.0
// In: the term counts of all entries. Out: for each term the entries that have it, with the BM25F
// score it gives them, worked out beforehand.
#pragma once

#include "packed.hpp"
#include "term_table.hpp"
#include "term_vector.hpp"

#include <functional>

namespace skillhost::keyword {

struct Bm25 {
  PerField<double> weights{};
  double k1 = 1.2;
  double b = 0.75;
};

// The term counts of one entry: those kept with it and those of its compounds, which count as words
// of its name.
struct EntryTerms {
  const TermVector *own;
  const TermVector *compounds; // may be null
};

// Immutable once made: any thread may read.
class Postings {
public:
  Postings() = default;
  // Calls `checkpoint` now and then; it may throw to give the work up.
  Postings(std::shared_ptr<const TermTable> table, std::span<const EntryTerms> entries,
           const Bm25 &bm25, const std::function<void()> &checkpoint);

  // The number of a term that some entry has.
  std::optional<std::uint32_t> find(std::string_view term) const noexcept {
    const auto found = table_ ? table_->find(term) : std::nullopt;
    return found && begins_[*found] < begins_[*found + 1] ? found : std::nullopt;
  }
  // Calls take(entry, score) for every entry that has the term, by its number from find(): the
  // entry as its position in the snapshot, ascending, and what one occurrence in a query adds.
  template <class Take> void forEach(std::uint32_t term, Take &&take) const {
    const double rarity = rarities_[term];
    std::uint64_t number = 0;
    for (std::size_t at = begins_[term]; at < begins_[term + 1];) {
      number += unpack(bytes_, at);
      const Level &level = levels_[number];
      take(level.entry, static_cast<float>(level.saturated * rarity));
    }
  }
  float rarity(std::uint32_t term) const noexcept { return rarities_[term]; }

private:
  // What the terms that are in the same fields of an entry equally often score before their rarity.
  // Entries have few of them, so a term needs no more than their numbers.
  struct Level {
    double saturated;
    std::uint32_t entry;
  };

  std::shared_ptr<const TermTable> table_; // may know terms that no entry has
  std::vector<float> rarities_;            // inverse document frequency of term i
  std::vector<Level> levels_;              // in order of entries
  std::vector<std::uint32_t> begins_;      // of term i in bytes_
  std::vector<std::uint8_t> bytes_;        // numbers of levels, each as the step from the last one
};

} // namespace skillhost::keyword
