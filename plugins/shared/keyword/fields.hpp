// SPDX-License-Identifier: Apache-2.0
// The parts of an entry that are indexed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace skillhost::keyword {

enum class Field : std::uint8_t { Name, Keywords, Description, Body };
inline constexpr std::size_t fieldCount = 4;
template <class Value> using PerField = std::array<Value, fieldCount>;
constexpr std::size_t indexOf(Field field) noexcept { return static_cast<std::size_t>(field); }

} // namespace skillhost::keyword
