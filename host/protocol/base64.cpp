// SPDX-License-Identifier: Apache-2.0
#include "base64.hpp"

#include <array>
#include <cstddef>

namespace skillhost {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string encodeBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    std::array<unsigned, 3> group{};
    for (std::size_t k = 0; k < 3 && k < left; ++k)
      group[k] = static_cast<unsigned char>(bytes[i + k]);
    const unsigned value = group[0] << 16U | group[1] << 8U | group[2];
    out += letters[value >> 18U];
    out += letters[(value >> 12U) & 63U];
    out += left > 1 ? letters[(value >> 6U) & 63U] : '=';
    out += left > 2 ? letters[value & 63U] : '=';
  }
  return out;
}

std::optional<std::string> decodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  unsigned value = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t letter = letters.find(text[i]);
    const bool padding = text[i] == '=' && i + 2 >= text.size();
    if (letter == std::string_view::npos && !padding) return std::nullopt;
    value = value << 6U | (padding ? 0U : static_cast<unsigned>(letter));
    if (i % 4 != 3) continue;
    out += static_cast<char>(value >> 16U & 255U);
    out += static_cast<char>(value >> 8U & 255U);
    out += static_cast<char>(value & 255U);
    value = 0;
  }
  if (text.ends_with("==")) out.pop_back();
  if (text.ends_with('=')) out.pop_back();
  // Bits that the padding leaves over, or padding inside: not what an encoder writes.
  return encodeBase64(out) == text ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace skillhost
