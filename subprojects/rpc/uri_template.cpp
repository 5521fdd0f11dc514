// SPDX-License-Identifier: Apache-2.0
#include "rpc/uri_template.hpp"

#include <cctype>
#include <vector>

namespace skillhost {
namespace {

struct Piece {
  std::string_view literal; // before the expression
  bool expression = false, reserved = false;
};

std::vector<Piece> piecesOf(std::string_view pattern) {
  std::vector<Piece> pieces;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    const std::size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
    if (close == std::string_view::npos) {
      pieces.push_back({pattern});
      break;
    }
    const char first = close > open + 1 ? pattern[open + 1] : '+';
    const bool simple = std::isalnum(static_cast<unsigned char>(first)) != 0 || first == '_';
    pieces.push_back({pattern.substr(0, open), true, !simple});
    pattern.remove_prefix(close + 1);
  }
  return pieces;
}

} // namespace

bool fitsTemplate(std::string_view pattern, std::string_view uri) {
  // The places in `uri` that the pieces so far can lead to. The cost is linear in both, however
  // many expressions there are.
  std::vector<bool> places(uri.size() + 1, false);
  places[0] = true;
  for (const Piece &piece : piecesOf(pattern)) {
    std::vector<bool> next(uri.size() + 1, false);
    for (std::size_t at = 0; at + piece.literal.size() <= uri.size(); ++at)
      if (places[at] && uri.substr(at, piece.literal.size()) == piece.literal)
        next[at + piece.literal.size()] = true;
    if (piece.expression) {
      std::vector<bool> after(uri.size() + 1, false);
      bool within = false;
      for (std::size_t at = 0; at <= uri.size(); ++at) {
        const bool ends = at > 0 && !piece.reserved &&
                          std::string_view("/?#").find(uri[at - 1]) != std::string_view::npos;
        if (ends) within = false;
        after[at] = within || (piece.reserved && next[at]);
        within = within || next[at];
      }
      next.swap(after);
    }
    places.swap(next);
  }
  return places[uri.size()];
}

} // namespace skillhost
