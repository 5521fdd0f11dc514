// SPDX-License-Identifier: Apache-2.0
// Terms to numbers: a growing table for the writer, a frozen one for readers.
#pragma once

#include "text_set.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::keyword {

// Numbers are given in order from 0 and never change. One thread at a time.
class TermTable {
public:
  std::uint32_t number(std::string_view term); // gives it one when it is new
  std::size_t size() const noexcept { return terms_.size(); }
  std::string_view term(std::uint32_t number) const { return *terms_[number]; }

private:
  TextMap<std::uint32_t> numbers_;
  std::vector<const std::string *> terms_; // keys of numbers_, which do not move
};

// Immutable once made: any thread may ask. Shares nothing with the table it came from.
class TermLookup {
public:
  TermLookup() = default;
  // Term i of `terms` gets the number i; no term may occur twice.
  explicit TermLookup(const std::vector<std::string_view> &terms);
  std::optional<std::uint32_t> find(std::string_view term) const noexcept;

private:
  std::string_view textOf(std::uint32_t number) const noexcept {
    return std::string_view(text_).substr(ends_[number], ends_[number + 1] - ends_[number]);
  }

  std::string text_;
  std::vector<std::uint32_t> ends_;  // term i is the bytes from ends_[i] to ends_[i + 1]
  std::vector<std::uint32_t> slots_; // open addressing by hash, number + 1, 0 is empty
};

} // namespace skillhost::keyword
