// SPDX-License-Identifier: Apache-2.0
// Terms of a query that at least one entry contains.
#pragma once

#include "snapshot.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace skillhost::keyword {

// Returns the inverse document frequency of a term that `having` of the entries contain.
double rarityOf(double having, std::size_t entries) noexcept;

// Terms are numbered in the order of their first find(). A query therefore scores equal entries
// equally, whatever the order of indexing was.
class QueryTerms {
public:
  // An entry whose name contains the term as a part of a longer word.
  struct Compound {
    std::uint16_t entry;
    std::uint8_t count;
    Counts own; // occurrences of the term as a word of its own
  };
  struct Compounds {
    std::vector<Compound> entries;   // ascending
    std::vector<std::uint64_t> bits; // a bit for each entry of the segment
    bool has(std::uint16_t entry) const noexcept {
      return (bits[entry / 64] >> entry % 64 & 1U) != 0;
    }
  };
  struct InSegment {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t segment = 0;
    std::uint32_t number = none;                // number of the term in the segment's postings
    std::shared_ptr<const Compounds> compounds; // null if there are none
  };
  struct Term {
    float rarity = 0;                 // inverse document frequency
    std::uint32_t begin = 0, end = 0; // range in places()
  };

  // `bodyCommonness` says how far an entry with a term only in its body counts as containing it,
  // see Options.
  explicit QueryTerms(double bodyCommonness = 1) : bodyCommonness_(bodyCommonness) {}
  // `which` selects the postings of each segment. Only words are also searched in compounds.
  std::optional<std::uint32_t> find(std::string_view term, const Snapshot &snapshot,
                                    Postings Segment::*which);
  std::size_t size() const noexcept { return terms_.size(); }
  // For words only: true if the entry contains the word in any field, the body included.
  bool has(std::uint32_t number, const Snapshot &snapshot, std::uint32_t place) const noexcept;
  float rarity(std::uint32_t number) const noexcept { return terms_[number].rarity; }
  // For words only: the rarity in each field by itself. Goes through the list of the word's groups.
  PerField<float> raritiesByField(std::uint32_t number, const Snapshot &snapshot) const noexcept;
  std::span<const InSegment> places(std::size_t number) const noexcept {
    return std::span(places_).subspan(terms_[number].begin,
                                      terms_[number].end - terms_[number].begin);
  }

private:
  double bodyCommonness_;
  TermTable known_;
  // Number of each known term; nothing if no entry has it.
  std::vector<std::optional<std::uint32_t>> numbers_;
  std::vector<Term> terms_;
  std::vector<InSegment> places_; // places of all terms
};

} // namespace skillhost::keyword
