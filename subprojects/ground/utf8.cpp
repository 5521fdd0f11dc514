// SPDX-License-Identifier: Apache-2.0
#include "ground/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace skillhost {
namespace {

bool continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Returns the length of the character at `at`, or 0 if it is invalid.
std::size_t characterLength(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  const std::size_t left = text.size() - at;
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return left >= 2 && continuation(text[at + 1]) ? 2 : 0;
  if (lead < 0xF0) {
    if (left < 3 || !continuation(text[at + 1]) || !continuation(text[at + 2])) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0; // overlong
    if (lead == 0xED && byte(1) > 0x9F) return 0; // surrogate
    return 3;
  }
  if (lead > 0xF4 || left < 4) return 0;
  if (!continuation(text[at + 1]) || !continuation(text[at + 2]) || !continuation(text[at + 3]))
    return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0; // overlong
  if (lead == 0xF4 && byte(1) > 0x8F) return 0; // above U+10FFFF
  return 4;
}

std::string fromUtf16(std::string_view bytes, bool bigEndian) {
  const auto unit = [&](std::size_t at) -> char32_t {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return bigEndian ? static_cast<char32_t>(first << 8U | second)
                     : static_cast<char32_t>(second << 8U | first);
  };
  std::string out;
  out.reserve(bytes.size() / 2);
  for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
    char32_t c = unit(at);
    if (c >= 0xD800 && c < 0xDC00 && at + 3 < bytes.size()) {
      const char32_t low = unit(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10U) + (low - 0xDC00);
        at += 2;
      }
    }
    appendUtf8(out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
  }
  return out;
}

} // namespace

void appendUtf8(std::string &out, char32_t character) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  const auto c = static_cast<std::uint32_t>(character);
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0U | (c >> 6U));
    byte(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    byte(0xE0U | (c >> 12U));
    byte(0x80U | ((c >> 6U) & 0x3FU));
    byte(0x80U | (c & 0x3FU));
  } else {
    byte(0xF0U | (c >> 18U));
    byte(0x80U | ((c >> 12U) & 0x3FU));
    byte(0x80U | ((c >> 6U) & 0x3FU));
    byte(0x80U | (c & 0x3FU));
  }
}

std::string_view withoutUtf16(std::string_view bytes, std::string &room) {
  const bool bigEndian = bytes.starts_with("\xFE\xFF");
  if (!bigEndian && !bytes.starts_with("\xFF\xFE")) return bytes;
  room = fromUtf16(bytes, bigEndian);
  return room;
}

std::size_t validUtf8Prefix(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    // Skips eight ASCII bytes at a time, because most text is ASCII.
    while (at + 8 <= text.size()) {
      std::uint64_t chunk;
      std::memcpy(&chunk, text.data() + at, 8);
      if ((chunk & 0x8080808080808080U) != 0) break;
      at += 8;
    }
    if (at >= text.size()) break;
    const std::size_t length = characterLength(text, at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

std::string mendUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 8);
  while (!text.empty()) {
    const std::size_t good = validUtf8Prefix(text);
    out.append(text, 0, good);
    text.remove_prefix(good);
    if (text.empty()) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(1);
  }
  return out;
}

std::string_view cutUtf8(std::string_view text, std::size_t bytes) noexcept {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && continuation(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::string_view firstCharacters(std::string_view text, std::size_t characters) noexcept {
  if (text.size() <= characters) return text;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (!continuation(text[at]) && characters-- == 0) return text.substr(0, at);
  return text;
}

std::size_t countCharacters(std::string_view text) noexcept {
  std::size_t count = 0;
  for (const char c : text) count += continuation(c) ? 0 : 1;
  return count;
}

} // namespace skillhost
