// SPDX-License-Identifier: Apache-2.0
// Packs whole numbers into as few bytes as they need: seven bits in each, the lowest first; the top
// bit says that more bytes follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace skillhost::keyword {

constexpr std::size_t packedSize(std::uint64_t value) noexcept {
  std::size_t bytes = 1;
  for (; value >= 0x80; value >>= 7U) ++bytes;
  return bytes;
}

// Writes from `at`, which must have room for packedSize(value) bytes, and moves `at` behind them.
constexpr void pack(std::span<std::uint8_t> bytes, std::size_t &at, std::uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7U) bytes[at++] = static_cast<std::uint8_t>(value | 0x80U);
  bytes[at++] = static_cast<std::uint8_t>(value);
}

// Reads the number that pack() wrote at `at` and moves `at` behind it.
constexpr std::uint64_t unpack(std::span<const std::uint8_t> bytes, std::size_t &at) noexcept {
  std::uint64_t value = bytes[at] & 0x7FU;
  for (unsigned shift = 7; (bytes[at++] & 0x80U) != 0; shift += 7)
    value |= static_cast<std::uint64_t>(bytes[at] & 0x7FU) << shift;
  return value;
}

} // namespace skillhost::keyword
