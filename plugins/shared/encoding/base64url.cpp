// SPDX-License-Identifier: Apache-2.0
#include "base64url.hpp"

#include <array>
#include <cstdint>

namespace skillhost::encoding {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t foreign = 255;

constexpr std::array<std::uint8_t, 256> valuesOfCharacters() {
  std::array<std::uint8_t, 256> values{};
  values.fill(foreign);
  for (std::size_t value = 0; value < alphabet.size(); ++value)
    values[static_cast<unsigned char>(alphabet[value])] = static_cast<std::uint8_t>(value);
  return values;
}

constexpr std::array<std::uint8_t, 256> values = valuesOfCharacters();

} // namespace

std::string encodeBase64Url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t buffer = 0;
  unsigned pending = 0; // bits of the buffer that are not written yet
  for (const char byte : bytes) {
    buffer = (buffer << 8U) | static_cast<unsigned char>(byte);
    pending += 8;
    while (pending >= 6) {
      pending -= 6;
      text += alphabet[(buffer >> pending) & 63U];
    }
  }
  if (pending > 0) text += alphabet[(buffer << (6 - pending)) & 63U];
  return text;
}

std::optional<std::string> decodeBase64Url(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t buffer = 0;
  unsigned pending = 0;
  for (const char character : text) {
    const std::uint8_t value = values[static_cast<unsigned char>(character)];
    if (value == foreign) return std::nullopt;
    buffer = (buffer << 6U) | value;
    pending += 6;
    if (pending < 8) continue;
    pending -= 8;
    bytes += static_cast<char>((buffer >> pending) & 255U);
  }
  if ((buffer & ((1U << pending) - 1U)) != 0) return std::nullopt;
  return bytes;
}

} // namespace skillhost::encoding
