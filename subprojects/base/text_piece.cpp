// SPDX-License-Identifier: Apache-2.0
#include "base/text_piece.hpp"

#include "ground/json_text.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <string>

namespace skillhost {

TextPiece pieceOf(std::string_view text, std::size_t offset, std::size_t room) {
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  std::size_t begin = std::min(offset, text.size());
  while (begin > 0 && continues(begin)) --begin;
  const std::string_view rest = text.substr(begin);
  std::string_view piece = cutUtf8(rest, room);
  for (std::string jsonText;; jsonText.clear()) {
    appendJsonString(jsonText, piece);
    if (jsonText.size() <= room) break;
    // Escapes take more room than what they stand for: cut in that proportion, and at least one
    // byte.
    const std::string_view less =
        cutUtf8(piece, std::min(piece.size() - 1, piece.size() * room / jsonText.size()));
    if (less.empty()) break;
    piece = less;
  }
  if (piece.empty() && !rest.empty()) {
    std::size_t end = begin + 1;
    while (continues(end)) ++end;
    piece = text.substr(begin, end - begin);
  }
  if (piece.size() < rest.size())
    if (const std::size_t line = piece.rfind('\n');
        line != std::string_view::npos && line >= piece.size() / 2)
      piece = piece.substr(0, line + 1);
  return {piece, begin};
}

} // namespace skillhost
