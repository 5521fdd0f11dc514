// SPDX-License-Identifier: Apache-2.0
#include "snippet.hpp"

#include "characters.hpp"
#include "matches.hpp"

#include <algorithm>

namespace skillhost::keyword {
namespace {

constexpr std::string_view cutMark = "...";
constexpr std::size_t window = longestSnippet - 2 * cutMark.size() - 2;
constexpr std::size_t leadIn = 50;     // bytes shown before the first match
constexpr float bodyAdvantage = 1.25F; // factor by which the body must fit better

struct Passage {
  std::size_t begin = 0;
  float score = 0;
};

// Finds the window that begins at a match and contains the most rarity. Each stem counts once.
Passage bestPassage(const std::vector<Match> &found, std::size_t stems) {
  Passage best;
  // First match of the window that last counted the stem.
  std::vector<std::size_t> seen(stems, SIZE_MAX);
  for (std::size_t first = 0; first < found.size(); ++first) {
    float score = 0;
    for (std::size_t i = first; i < found.size(); ++i) {
      if (found[i].end > found[first].begin + window - leadIn) break;
      if (seen[found[i].stem] == first) continue;
      seen[found[i].stem] = first;
      score += found[i].rarity;
    }
    if (score > best.score) best = {found[first].begin, score};
  }
  return best;
}

// True for white space, control characters and bytes that are not UTF-8.
bool blank(Character c) noexcept {
  return c.code <= 0x20 || (c.code >= 0x7F && c.code <= 0xA0) || c.code == 0x3000 ||
         (c.code == 0xFFFD && c.size == 1);
}

std::string collapse(std::string_view text, bool cutBefore, bool cutAfter) {
  std::string line = cutBefore ? std::string(cutMark) + " " : std::string();
  const std::size_t mark = line.size();
  bool space = false;
  for (std::size_t at = 0; at < text.size();) {
    const Character here = characterAt(text, at);
    if (blank(here)) {
      space = line.size() > mark;
    } else {
      if (space) line += ' ';
      space = false;
      line.append(text, at, here.size);
    }
    at += here.size;
  }
  if (cutAfter) line.append(" ").append(cutMark);
  return line;
}

// Returns the last start of a word at or before `at`, but not before `least`. If there is none,
// returns the start of the character at `at`.
std::size_t wordStart(std::string_view text, std::size_t at, std::size_t least) noexcept {
  for (std::size_t i = at; i > least; --i)
    if (text[i - 1] == ' ' || text[i - 1] == '\n' || text[i - 1] == '\t') return i;
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U)
    --at;
  return at;
}

std::string cut(std::string_view text, std::size_t from) {
  std::size_t begin = 0;
  if (text.size() > window && from > leadIn) {
    from = std::min(from, text.size());
    begin = wordStart(text, from - leadIn, 0);
    // The match lies in a long run without spaces or at the very end of the text: show what fits.
    if (from - begin > 2 * leadIn) begin = wordStart(text, from - leadIn, from - leadIn);
  }
  std::size_t end = text.size();
  if (end - begin > window) end = wordStart(text, begin + window, begin + window / 2);
  return collapse(text.substr(begin, end - begin), begin > 0, end < text.size());
}

} // namespace

std::string snippetOf(std::string_view description, const std::function<std::string()> &body,
                      const Query &query, Stemmer &stemmer) {
  MatchFinder finder(query, stemmer);
  const auto passage = [&](std::string_view text) {
    return bestPassage(finder.find(text), query.stems.size());
  };
  const Passage described = passage(description);
  float possible = 0;
  for (const WeightedTerm &term : query.whole.words) possible += query.words.rarity(term.term);
  if (described.score * bodyAdvantage < possible) {
    const std::string text = body();
    const Passage inBody = passage(text);
    if (!text.empty() && (inBody.score > described.score * bodyAdvantage || description.empty()))
      return cut(text, inBody.begin);
  }
  return cut(description, described.begin);
}

} // namespace skillhost::keyword
