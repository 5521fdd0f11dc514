// SPDX-License-Identifier: Apache-2.0
// Splits UTF-8 text into words in lower case, and gives identifiers both whole and in parts.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace skillhost::keyword {

enum class TokenKind : std::uint8_t {
  Word,   // a plain word, or one part of an identifier
  Whole,  // an identifier of several parts without its separators: "airQuality" -> "airquality";
          // or capitals with the s of a plural, whose part is without it: "PDFs" -> "pdfs", "pdf"
  Pair,   // two neighbours in a script without spaces
  Single, // a character of such a script that stands alone
  Inner,  // a character of such a script with neighbours: it is indexed, but not searched for
};

struct Token {
  std::string_view text;    // valid until the call that receives it returns
  std::uint32_t begin, end; // bytes of the original text it was taken from
  TokenKind kind;
};

// Splits the text at every character that is neither letter nor digit. Splits identifiers also at
// '_', '-', a change of case (camelCase, HTTPServer, but not URLs) and between letters and digits.
// Leaves out tokens of more than 64 bytes, which are keys and encoded data, not words. Accepts any
// bytes: those that are not UTF-8 separate words. Calls `take` in the order in which the tokens
// begin.
void forEachToken(std::string_view text, const std::function<void(const Token &)> &take);

} // namespace skillhost::keyword
