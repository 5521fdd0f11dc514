// SPDX-License-Identifier: Apache-2.0
// The terms that a query looks for, as far as there are entries that have them.
#pragma once

#include "snapshot.hpp"

namespace skillhost::keyword {

// Inverse document frequency of a term that so many of the entries have.
double rarityOf(double having, std::size_t entries) noexcept;

// Numbers are given in order of the first find(): a query says the same of the same entries,
// whatever was indexed in which order.
class QueryTerms {
public:
  // An entry in whose name the term is run together with others.
  struct Compound {
    std::uint16_t entry;
    std::uint8_t count;
    Counts own; // how often it has the term besides
  };
  struct Compounds {
    std::vector<Compound> entries;   // ascending
    std::vector<std::uint64_t> bits; // one for each entry of the segment
    bool has(std::uint16_t entry) const noexcept {
      return (bits[entry / 64] >> entry % 64 & 1U) != 0;
    }
  };
  struct InSegment {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t segment = 0;
    std::uint32_t number = none;                // in its postings
    std::shared_ptr<const Compounds> compounds; // null: none
  };
  struct Term {
    float rarity = 0;                 // inverse document frequency
    std::uint32_t begin = 0, end = 0; // of places()
  };

  // `bodyCommonness`: how far an entry that has a term in the body alone counts as having it, see
  // Options.
  explicit QueryTerms(double bodyCommonness = 1) : bodyCommonness_(bodyCommonness) {}
  // `which` are the postings of each segment; compounds are looked for among words alone.
  std::optional<std::uint32_t> find(std::string_view term, const Snapshot &snapshot,
                                    Postings Segment::*which);
  std::size_t size() const noexcept { return terms_.size(); }
  // Of a word: whether the entry has it in any field, its body included.
  bool has(std::uint32_t number, const Snapshot &snapshot, std::uint32_t place) const noexcept;
  float rarity(std::uint32_t number) const noexcept { return terms_[number].rarity; }
  std::span<const InSegment> places(std::size_t number) const noexcept {
    return std::span(places_).subspan(terms_[number].begin,
                                      terms_[number].end - terms_[number].begin);
  }

private:
  double bodyCommonness_;
  TermTable known_;
  std::vector<std::optional<std::uint32_t>> numbers_; // of each known; nothing: no entry has it
  std::vector<Term> terms_;
  std::vector<InSegment> places_; // of all terms
};

} // namespace skillhost::keyword
