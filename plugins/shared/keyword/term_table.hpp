// SPDX-License-Identifier: Apache-2.0
// Maps terms to numbers and back, in a few bytes more than their text.
#pragma once

#include "ground/bytes.hpp"
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
    return std::string_view(text_).substr(begin, ends_[number] - begin);
  }
  void shrink(); // frees the memory reserved for growing

  void save(ByteWriter &out) const;
  static TermTable load(ByteReader &in); // throws Damaged

private:
  // Slot of the term, or the empty slot that it would get.
  std::size_t slotOf(std::string_view term) const noexcept;
  void rehash(std::size_t slots);

  std::string text_;
  std::vector<std::uint32_t> ends_;  // term i ends at ends_[i] in text_
  std::vector<std::uint32_t> slots_; // open addressing by hash: number + 1; 0 is empty
};

} // namespace skillhost::keyword
