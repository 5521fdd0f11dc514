// SPDX-License-Identifier: Apache-2.0
// Maps terms to numbers and back, in a few bytes more than their text.
#pragma once

#include "column.hpp"
#include "text_set.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::keyword {

// Terms are numbered in order from 0, and numbers never change. Any thread may read a table that no
// thread changes.
class TermTable {
public:
  std::uint32_t number(std::string_view term); // adds the term if it is new
  std::optional<std::uint32_t> find(std::string_view term) const noexcept;
  std::size_t size() const noexcept { return ends_.size(); }
  std::string_view term(std::uint32_t number) const noexcept { // valid until the next new term
    const std::uint32_t begin = number == 0 ? 0 : ends_[number - 1];
    return {text_.data() + begin, ends_[number] - begin};
  }
  void shrink(); // frees the memory reserved for growing

  // Calls `take` with each column that a file holds, in the order of the file.
  template <class Table, class Take> static void forEachColumn(Table &table, Take &&take) {
    take(table.text_);
    take(table.ends_);
  }
  // Must be called once when the columns are those of a file. Throws Damaged if they contradict
  // each other.
  void complete();

private:
  // Slot of the term, or the empty slot that it would get.
  std::size_t slotOf(std::string_view term, std::uint32_t hash) const noexcept;
  void rehash(std::size_t slots);

  Column<char> text_;
  Column<std::uint32_t> ends_; // term i ends at ends_[i] in text_
  // The hash spares most comparisons of texts, which are far apart in memory.
  struct Slot {
    std::uint32_t hash = 0, next = 0; // next: number of the term + 1; 0: empty
  };
  std::vector<Slot> slots_; // open addressing by hash; not saved
};

} // namespace skillhost::keyword
