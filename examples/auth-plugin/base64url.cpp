// SPDX-License-Identifier: Apache-2.0
#include "base64url.hpp"

#include <cstdint>

namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

} // namespace

std::string encodeBase64Url(std::string_view bytes) {
  std::string text;
  std::uint32_t bits = 0;
  unsigned held = 0; // bits not yet written
  for (const char byte : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(byte);
    for (held += 8; held >= 6; held -= 6) text += digits[bits >> (held - 6) & 63U];
  }
  if (held != 0) text += digits[bits << (6 - held) & 63U];
  return text;
}

std::optional<std::string> decodeBase64Url(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char digit : text) {
    const std::size_t value = digits.find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255U);
  }
  // Refuses a digit too many and leftover bits that are not zero: they would be a second spelling
  // of the same bytes.
  if (held == 6 || (bits & ((1U << held) - 1U)) != 0) return std::nullopt;
  return bytes;
}
