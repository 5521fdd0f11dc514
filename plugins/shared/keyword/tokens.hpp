// SPDX-License-Identifier: Apache-2.0
// In: any UTF-8 text. Out: its words in lower case, identifiers both whole and in parts.
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
  Inner,  // one that has neighbours: worth indexing, not worth asking for
};

struct Token {
  std::string_view text;    // valid until the call it is handed to returns
  std::uint32_t begin, end; // bytes of the original text it was taken from
  TokenKind kind;
};

// Splits at what is neither letter nor digit, and identifiers at '_', '-', a change of case
// (camelCase, HTTPServer, but not URLs) and between letters and digits. Tokens over 64 bytes are
// left out: they are keys and encoded data, not words. Any bytes are accepted; what is not UTF-8
// separates. Tokens come in order of where they begin.
void forEachToken(std::string_view text, const std::function<void(const Token &)> &take);

} // namespace skillhost::keyword
