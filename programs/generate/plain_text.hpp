// SPDX-License-Identifier: Apache-2.0
// Shows a stranger's words without any invisible characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// Returns true if a character hides, reorders or ends text: controls except tab and line feed,
// direction marks, zero-width characters, tags (U+E0000 to U+E007F), line and paragraph separators.
bool isHidden(std::uint32_t character) noexcept;

// Returns valid UTF-8 with line feeds as its only line ends. Hidden characters are written as
// [U+202E]. If there are more than `maxBytes` bytes, the number of omitted ones follows.
std::string visibleText(std::string_view words, std::size_t maxBytes);
// Does the same in one line with single blanks; cuts with "…".
std::string visibleLine(std::string_view words, std::size_t maxBytes);
// Returns as many whole sentences from the start as fit. If the first one does not fit, it is cut.
std::string firstSentences(std::string_view words, std::size_t maxBytes);

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
