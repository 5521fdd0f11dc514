// SPDX-License-Identifier: Apache-2.0
// A part of a long text, for readers who come back for the next one.
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

struct TextPiece {
  std::string_view text; // a view into the whole, cut between characters
  std::size_t begin = 0; // in bytes
};

// Returns the text behind `offset` in valid UTF-8, as far as it takes at most `room` bytes as a
// JSON string with its quotes. It ends at the end of a line if that costs little, and has at least
// one character. An offset inside a character is moved to its beginning; one past the end gives an
// empty piece at the end.
TextPiece pieceOf(std::string_view text, std::size_t offset, std::size_t room);

} // namespace skillhost
