// SPDX-License-Identifier: Apache-2.0
// A part of a long text, for readers who come back for the next one.
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

struct TextPiece {
  std::string_view text; // of the whole, characters uncut
  std::size_t begin = 0; // in bytes
};

// What follows `offset` in valid UTF-8, as far as it takes at most `room` bytes as a JSON string
// with its quotes; it ends with a line where that costs little, and has a character at least. An
// offset inside a character is that of the character; one past the end gives an empty piece at the
// end.
TextPiece pieceOf(std::string_view text, std::size_t offset, std::size_t room);

} // namespace skillhost
