// SPDX-License-Identifier: Apache-2.0
#include "matches.hpp"

#include "tokens.hpp"

#include <algorithm>

namespace skillhost::keyword {
namespace {

constexpr std::size_t pairOf(unsigned char first, unsigned char second) noexcept {
  return static_cast<std::size_t>(first) << 8U | second;
}
constexpr bool isSpace(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

} // namespace

MatchFinder::MatchFinder(const Query &query, Stemmer &stemmer) : query_(query), stemmer_(stemmer) {
  for (const std::string &stem : query.stems) {
    const auto first = static_cast<unsigned char>(stem[0]);
    if (stem.size() > 1) {
      starts_.set(pairOf(first, static_cast<unsigned char>(stem[1])));
      continue;
    }
    for (unsigned second = 0; second < 256; ++second)
      starts_.set(pairOf(first, static_cast<unsigned char>(second)));
  }
}

// Stems keep the first two letters of an ASCII word, so most chunks can be skipped. Joined, tiny or
// non-ASCII chunks are always searched.
bool MatchFinder::mayMatch(std::string_view chunk) const noexcept {
  if (chunk.size() < 3) return true;
  unsigned char previous = 0;
  for (const char c : chunk) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte == '-' || byte == '_') return true;
    const auto lower = static_cast<unsigned char>(byte >= 'A' && byte <= 'Z' ? byte | 0x20U : byte);
    if (starts_.test(pairOf(previous, lower))) return true;
    previous = lower;
  }
  return false;
}

void MatchFinder::examine(std::string_view chunk, std::size_t offset, std::vector<Match> &found) {
  forEachToken(chunk, [&](const Token &token) {
    const std::string_view stem = stemmer_.stem(token.text);
    const auto at = std::lower_bound(query_.stems.begin(), query_.stems.end(), stem);
    if (at == query_.stems.end() || *at != stem) return;
    const auto number = static_cast<std::size_t>(at - query_.stems.begin());
    found.push_back({offset + token.begin, offset + token.end, number, query_.rarities[number]});
  });
}

std::vector<Match> MatchFinder::find(std::string_view text) {
  std::vector<Match> found;
  if (query_.stems.empty()) return found;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && !isSpace(text[end])) ++end;
    const std::string_view chunk = text.substr(begin, end - begin);
    if (!chunk.empty() && mayMatch(chunk)) examine(chunk, begin, found);
    begin = end + 1;
  }
  return found;
}

} // namespace skillhost::keyword
