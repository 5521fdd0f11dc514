// SPDX-License-Identifier: Apache-2.0
// For each term of a segment the entries that have it, two bytes each: those that have it equally
// often in each field stand together.
#pragma once

#include "bytes.hpp"
#include "fields.hpp"
#include "term_table.hpp"

#include <span>

namespace skillhost::keyword {

// How often a term is in each field: a byte for each, that of the first field lowest.
using Counts = std::uint32_t;
constexpr Counts countsOf(Field field, std::uint8_t count) noexcept {
  return Counts{count} << 8U * indexOf(field);
}
// Of a term that is in the body and in no other field.
constexpr bool inBodyAlone(Counts counts) noexcept {
  return (counts & ~countsOf(Field::Body, UINT8_MAX)) == 0;
}
constexpr std::uint8_t countIn(Counts counts, std::size_t field) noexcept {
  return static_cast<std::uint8_t>(counts >> 8U * field & 0xFFU);
}

// Immutable once made: any thread may read.
class Postings {
public:
  struct Group {
    Counts counts;
    std::span<const std::uint16_t> entries; // ascending, at least one
  };

  // The number of a term that some entry has.
  std::optional<std::uint32_t> find(std::string_view term) const noexcept {
    const auto found = terms_.find(term);
    return found && begins_[*found] < begins_[*found + 1] ? found : std::nullopt;
  }
  const TermTable &terms() const noexcept { return terms_; } // some of which no entry has
  bool has(std::uint32_t term) const noexcept { return begins_[term] < begins_[term + 1]; }
  template <class Take> void forEachGroup(std::uint32_t term, Take &&take) const {
    const std::uint16_t *at = lists_.data() + begins_[term];
    const std::uint16_t *const end = lists_.data() + begins_[term + 1];
    while (at != end) {
      const std::size_t size = at[0];
      const Counts counts = Counts{at[1]} | Counts{at[2]} << 16U;
      take(Group{counts, {at + headerSize, size}});
      at += headerSize + size;
    }
  }
  // How many entries have it.
  std::size_t count(std::uint32_t term) const noexcept { return counts_[term]; }
  // How many of those have it in the body alone.
  std::size_t countInBodyAlone(std::uint32_t term) const noexcept {
    return inBodyAlone_.empty() ? 0 : inBodyAlone_[term];
  }
  // How often the entry has it; 0 when it has not.
  Counts countsOfEntry(std::uint32_t term, std::uint16_t entry) const noexcept;

  void save(ByteWriter &out) const;
  // Throws Damaged unless all of it keeps the rules above, for a segment of so many entries.
  static Postings load(ByteReader &in, std::size_t entries);
  std::size_t bytes() const noexcept { return lists_.size() * sizeof(std::uint16_t); }

private:
  friend class PostingsBuilder;
  void addCounts(std::size_t having, std::size_t inBodyAlone); // of the next term
  static constexpr std::size_t headerSize = 3;                 // how many entries, counts
  TermTable terms_;
  std::vector<std::uint32_t> begins_; // of term i in lists_; one more than terms
  std::vector<std::uint16_t> lists_;
  std::vector<std::uint16_t> counts_;      // of entries that have term i; not saved
  std::vector<std::uint16_t> inBodyAlone_; // likewise, in the body alone; empty: none
};

class PostingsBuilder {
public:
  using Key = std::uint64_t; // counts and entry, so that sorted keys are sorted groups
  static constexpr Key keyOf(Counts counts, std::uint16_t entry) noexcept {
    return Key{counts} << 16U | entry;
  }

  explicit PostingsBuilder(TermTable terms);
  // For each term, in order of numbers; the keys come back sorted.
  void add(std::vector<Key> &keys);
  Postings build();

private:
  Postings made_;
};

} // namespace skillhost::keyword
