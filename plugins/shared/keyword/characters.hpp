// SPDX-License-Identifier: Apache-2.0
// Reads single Unicode characters from UTF-8, lowers their case and says which part they play in a
// text. It covers the scripts that have cases (Latin, Greek, Cyrillic, Armenian) without tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::keyword {

struct Character {
  char32_t code;    // U+FFFD for a byte that is not UTF-8
  std::size_t size; // bytes it takes, at least 1
};

enum class CharacterKind : std::uint8_t {
  Separator,
  Letter,
  Digit,
  Ideograph // written without spaces: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese
};

// Inline callers handle ASCII, which is most of a text, and call these functions only for other
// characters.
namespace beyond_ascii {
Character characterAt(std::string_view text, std::size_t at) noexcept;
char32_t lowerCase(char32_t code) noexcept;
CharacterKind kindOf(char32_t code) noexcept;
void append(std::string &out, char32_t code);
} // namespace beyond_ascii

// Returns the character of `text` that begins at byte `at`, which must be below text.size().
inline Character characterAt(std::string_view text, std::size_t at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  return lead < 0x80 ? Character{lead, 1} : beyond_ascii::characterAt(text, at);
}

inline char32_t lowerCase(char32_t code) noexcept {
  if (code >= 0x80) return beyond_ascii::lowerCase(code);
  return code >= U'A' && code <= U'Z' ? code + 32 : code;
}

inline CharacterKind kindOf(char32_t code) noexcept {
  if (code >= 0x80) return beyond_ascii::kindOf(code);
  if (code >= U'0' && code <= U'9') return CharacterKind::Digit;
  const char32_t letter = code | 0x20U;
  return letter >= U'a' && letter <= U'z' ? CharacterKind::Letter : CharacterKind::Separator;
}

inline void appendCharacter(std::string &out, char32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else {
    beyond_ascii::append(out, code);
  }
}

} // namespace skillhost::keyword
