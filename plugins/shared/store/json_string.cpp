// SPDX-License-Identifier: Apache-2.0
#include "json_string.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace skillhost::store {
namespace {

constexpr std::string_view hexDigits = "0123456789abcdef";
constexpr std::string_view shortEscapes = "\"\\bfnrt";
constexpr std::string_view shortMeanings = "\"\\\b\f\n\r\t";

constexpr std::array<char, 256> escapesOfBytes() {
  std::array<char, 256> escapes{};
  for (std::size_t byte = 0; byte < 32; ++byte) escapes[byte] = 'u';
  for (std::size_t i = 0; i < shortEscapes.size(); ++i)
    escapes[static_cast<unsigned char>(shortMeanings[i])] = shortEscapes[i];
  return escapes;
}
constexpr std::array<char, 256> escapes = escapesOfBytes(); // 0: no escape

constexpr std::array<char, 256> meaningsOfEscapes() {
  std::array<char, 256> meanings{};
  for (std::size_t i = 0; i < shortEscapes.size(); ++i)
    meanings[static_cast<unsigned char>(shortEscapes[i])] = shortMeanings[i];
  return meanings;
}
constexpr std::array<char, 256> meanings = meaningsOfEscapes(); // 0: no short escape

std::size_t byteAt(std::string_view text, std::size_t at) noexcept {
  return static_cast<unsigned char>(text[at]);
}

// Returns the size of the character at `at` if it is well-formed (Unicode, table 3-7), else 0.
std::size_t characterSize(std::string_view text, std::size_t at) noexcept {
  const std::size_t lead = byteAt(text, at);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xC2 && lead < 0xE0   ? 2
                           : lead >= 0xE0 && lead < 0xF0 ? 3
                           : lead >= 0xF0 && lead < 0xF5 ? 4
                                                         : 0;
  if (size == 0 || text.size() - at < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byteAt(text, at + i) & 0xC0U) != 0x80) return 0;
  const std::size_t second = byteAt(text, at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool beyond = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || beyond ? 0 : size;
}

// Marks the zero bytes among eight with their high bit. Exact up to the first zero byte.
constexpr std::uint64_t zeroBytes(std::uint64_t word) noexcept {
  return (word - 0x0101010101010101U) & ~word & 0x8080808080808080U;
}

// Marks each quote, backslash and control character among eight bytes with the high bit. Exact up
// to the first of them.
std::uint64_t specialBytes(std::uint64_t word) noexcept {
  return zeroBytes(word ^ 0x2222222222222222U) | zeroBytes(word ^ 0x5C5C5C5C5C5C5C5CU) |
         zeroBytes(word & 0xE0E0E0E0E0E0E0E0U);
}

bool isSpecial(char byte) noexcept { return escapes[static_cast<unsigned char>(byte)] != 0; }

// Does the same, but is exact for all eight bytes.
constexpr std::uint64_t exactlyZeroBytes(std::uint64_t word) noexcept {
  return ~(((word & 0x7F7F7F7F7F7F7F7FU) + 0x7F7F7F7F7F7F7F7FU) | word | 0x7F7F7F7F7F7F7F7FU);
}

// Returns the size of eight bytes of ASCII as JSON text; 0 if they contain other bytes or control
// characters except line feeds.
std::size_t sizeOfPlainWord(const char *at) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  const std::uint64_t lineFeeds = exactlyZeroBytes(word ^ 0x0A0A0A0A0A0A0A0AU);
  if ((word & 0x8080808080808080U) != 0 ||
      exactlyZeroBytes(word & 0xE0E0E0E0E0E0E0E0U) != lineFeeds)
    return 0;
  const std::uint64_t escaped = lineFeeds | exactlyZeroBytes(word ^ 0x2222222222222222U) |
                                exactlyZeroBytes(word ^ 0x5C5C5C5C5C5C5C5CU);
  return sizeof word + static_cast<std::size_t>(std::popcount(escaped));
}

// Returns the first quote, backslash or control character; `end` if there is none.
const char *nextSpecial(const char *at, const char *end) noexcept {
  for (; end - at >= 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if (specialBytes(word) != 0) break;
  }
  while (at != end && !isSpecial(*at)) ++at;
  return at;
}

// Copies the text before it to `out`, which lies at or before `at` in the same text, and advances
// `out`. Each word is read completely before any of its bytes are overwritten.
const char *copyToSpecial(const char *at, const char *end, char *&out) noexcept {
  for (; end - at >= 8; at += 8, out += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if (specialBytes(word) != 0) break;
    std::memcpy(out, &word, sizeof word);
  }
  while (at != end && !isSpecial(*at)) *out++ = *at++;
  return at;
}

// Returns the byte that an escape stands for, if the escape has its one spelling. `length` is its
// size.
std::optional<char> meaningOf(std::string_view escape, std::size_t &length) noexcept {
  if (escape.size() < 2) return std::nullopt;
  length = 2;
  if (const char meaning = meanings[byteAt(escape, 1)]; meaning != 0) return meaning;
  length = 6;
  if (escape.size() < length || escape.substr(1, 3) != "u00") return std::nullopt;
  const std::size_t high = hexDigits.find(escape[4]), low = hexDigits.find(escape[5]);
  if (high > 1 || low == hexDigits.npos) return std::nullopt;
  const auto byte = static_cast<char>(high * 16 + low);
  // The byte has a short escape.
  if (escapes[static_cast<unsigned char>(byte)] != 'u') return std::nullopt;
  return byte;
}

} // namespace

std::size_t sizeAsJsonText(std::string_view bytes) noexcept {
  std::size_t size = 2;
  for (std::size_t at = 0; at < bytes.size();) {
    if (bytes.size() - at >= 8)
      if (const std::size_t word = sizeOfPlainWord(bytes.data() + at); word != 0) {
        at += 8;
        size += word;
        continue;
      }
    const std::size_t one = characterSize(bytes, at);
    if (one == 0) return notText;
    const char escape = escapes[byteAt(bytes, at)];
    size += escape == 0 ? one : escape == 'u' ? 6 : 2;
    at += one;
  }
  return size;
}

void appendJsonText(std::string &out, std::string_view text) {
  out += '"';
  const char *at = text.data();
  const char *const end = at + text.size();
  while (at != end) {
    const char *const special = nextSpecial(at, end);
    out.append(at, special);
    at = special;
    if (at == end) break;
    const auto byte = static_cast<unsigned char>(*at++);
    out += '\\';
    out += escapes[byte];
    if (escapes[byte] != 'u') continue;
    out += "00";
    out += hexDigits[byte >> 4U];
    out += hexDigits[byte & 15U];
  }
  out += '"';
}

std::optional<TextInPlace> decodeJsonText(char *begin, std::size_t size) noexcept {
  char *out = begin;
  const char *at = begin;
  const char *const end = begin + size;
  while (true) {
    at = copyToSpecial(at, end, out);
    if (at == end) return std::nullopt;
    if (*at == '"')
      return TextInPlace{{begin, static_cast<std::size_t>(out - begin)},
                         static_cast<std::size_t>(at + 1 - begin)};
    std::size_t length = 0;
    if (*at != '\\') return std::nullopt; // an unescaped control character
    const std::optional<char> byte = meaningOf({at, static_cast<std::size_t>(end - at)}, length);
    if (!byte) return std::nullopt;
    *out++ = *byte;
    at += length;
  }
}

} // namespace skillhost::store
