// SPDX-License-Identifier: Apache-2.0
// Postings list, for each term of a segment, the entries that contain it, in two bytes each.
// Entries with equal counts in every field are grouped.
#pragma once

#include "fields.hpp"
#include "term_table.hpp"

#include <span>

namespace skillhost::keyword {

// Occurrences of a term in each field, one byte per field, the first field lowest.
using Counts = std::uint32_t;
constexpr Counts countsOf(Field field, std::uint8_t count) noexcept {
  return Counts{count} << 8U * indexOf(field);
}
// True if the term occurs in the body and in no other field.
constexpr bool inBodyAlone(Counts counts) noexcept {
  return (counts & ~countsOf(Field::Body, UINT8_MAX)) == 0;
}
constexpr std::uint8_t countIn(Counts counts, std::size_t field) noexcept {
  return static_cast<std::uint8_t>(counts >> 8U * field & 0xFFU);
}

// Immutable once built, so any thread may read it.
class Postings {
public:
  struct Group {
    Counts counts;
    std::span<const std::uint16_t> entries; // ascending, at least one
  };

  // Returns the number of a term that at least one entry contains.
  std::optional<std::uint32_t> find(std::string_view term) const noexcept {
    const auto found = terms_.find(term);
    return found && begins_[*found] < begins_[*found + 1] ? found : std::nullopt;
  }
  // Includes terms that no entry contains.
  const TermTable &terms() const noexcept { return terms_; }
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
  // Returns the number of entries that contain the term.
  std::size_t count(std::uint32_t term) const noexcept { return counts_[term]; }
  // Returns how many of those contain it only in the body.
  std::size_t countInBodyAlone(std::uint32_t term) const noexcept {
    return inBodyAlone_.empty() ? 0 : inBodyAlone_[term];
  }
  // Returns the occurrences in one entry; 0 if the entry does not contain the term.
  Counts countsOfEntry(std::uint32_t term, std::uint16_t entry) const noexcept;

  // Calls `take` with each column that a file holds, in the order of the file.
  template <class Lists, class Take> static void forEachColumn(Lists &lists, Take &&take) {
    TermTable::forEachColumn(lists.terms_, take);
    take(lists.begins_);
    take(lists.lists_);
  }
  // Must be called once when the columns are those of a file. Throws Damaged unless they are
  // consistent for a segment of `entries` entries.
  void complete(std::size_t entries);
  std::size_t bytes() const noexcept { return lists_.size() * sizeof(std::uint16_t); }

private:
  friend class PostingsBuilder;
  void addCounts(std::size_t having, std::size_t inBodyAlone); // for the next term
  static constexpr std::size_t headerSize = 3;                 // number of entries, and the counts
  TermTable terms_;
  Column<std::uint32_t> begins_; // start of term i in lists_; one more element than terms
  Column<std::uint16_t> lists_;
  std::vector<std::uint16_t> counts_;      // number of entries with term i; not saved
  std::vector<std::uint16_t> inBodyAlone_; // the same for the body alone; empty: no such entry
};

class PostingsBuilder {
public:
  using Key = std::uint64_t; // counts above entry, so that sorted keys form sorted groups
  static constexpr Key keyOf(Counts counts, std::uint16_t entry) noexcept {
    return Key{counts} << 16U | entry;
  }

  explicit PostingsBuilder(TermTable terms);
  // Must be called once per term, in order of numbers. Sorts `keys`.
  void add(std::vector<Key> &keys);
  Postings build();

private:
  Postings postings_;
};

} // namespace skillhost::keyword
