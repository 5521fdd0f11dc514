// SPDX-License-Identifier: Apache-2.0
// Single Unicode characters: reading them from UTF-8, their lower case, what part they play in a
// text. Covers the scripts that have cases (Latin, Greek, Cyrillic, Armenian) without tables.
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

// The character of `text` that begins at byte `at`, which must be below text.size().
Character characterAt(std::string_view text, std::size_t at) noexcept;
char32_t lowerCase(char32_t code) noexcept;
CharacterKind kindOf(char32_t code) noexcept;
void appendCharacter(std::string &out, char32_t code);

} // namespace skillhost::keyword
