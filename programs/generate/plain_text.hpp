// SPDX-License-Identifier: Apache-2.0
// A stranger's words, with nothing in them that a reader does not see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// Whether a character hides, reorders or ends text: controls but for tab and line feed, marks of
// direction, those of no width, tags (U+E0000 to U+E007F), separators of lines and paragraphs.
bool isHidden(std::uint32_t character) noexcept;

// Valid UTF-8 with line feeds as its only line ends; a hidden character is written out, [U+202E].
// At most `most` bytes of it, and then how many are left out.
std::string visibleText(std::string_view words, std::size_t most);
// The same in one line, with single blanks; cut with "…".
std::string visibleLine(std::string_view words, std::size_t most);
// As many whole sentences from its beginning as fit, at least the cut first one.
std::string firstSentences(std::string_view words, std::size_t most);

// Calls `visit` with each character of valid UTF-8 and its bytes.
template <class Visitor> void eachCharacter(std::string_view text, Visitor &&visit) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t character = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
      character = character << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    visit(character, text.substr(at, length));
    at += length;
  }
}

} // namespace skillhost
