// SPDX-License-Identifier: Apache-2.0
// The parts of an entry and how often each term occurs in them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skillhost::keyword {

enum class Field : std::uint8_t { Name, Keywords, Description, Body };
inline constexpr std::size_t fieldCount = 4;
template <class Value> using PerField = std::array<Value, fieldCount>;
constexpr std::size_t indexOf(Field field) noexcept { return static_cast<std::size_t>(field); }

struct TermCount {
  std::uint32_t term; // number in the TermTable
  Field field;
  std::uint8_t count; // stops at 255
};

// The terms of one entry, in any order but each (term, field) once.
struct TermVector {
  std::vector<TermCount> counts;
  PerField<std::uint32_t> lengths{}; // terms in each field, repetitions included
};

} // namespace skillhost::keyword
