// SPDX-License-Identifier: Apache-2.0
#include "query.hpp"

#include "analysis.hpp"
#include "characters.hpp"
#include "ground/text.hpp"
#include "tokens.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::keyword {
namespace {

// A query of more words than this is taken as a sentence, in which request words say little.
constexpr std::size_t shortQuery = 4;

struct Asked {
  std::string text;
  std::uint32_t begin;
  bool request; // a request word or a plain number
  TokenKind kind;
};

std::vector<Asked> askedWords(std::string_view text, const Language &language) {
  std::vector<Asked> words;
  forEachToken(text, [&](const Token &token) {
    if (words.size() == maxQueryTerms) return;
    if (token.kind == TokenKind::Inner || language.isStopWord(token.text)) return;
    const bool number = token.text.find_first_not_of("0123456789") == std::string_view::npos;
    const bool request = number || language.isRequestWord(token.text);
    words.push_back({std::string(token.text), token.begin, request, token.kind});
  });
  return words;
}

// Information of a word that no entry contains, as a share of that of a word which one entry
// contains.
double ofUnknown(TokenKind kind) noexcept {
  // In a text without spaces, about half of the pairs are not words but cross from one word to the
  // next.
  constexpr double pair = 0.25;
  if (kind == TokenKind::Pair) return pair;
  return kind == TokenKind::Whole ? 0 : 1; // the parts of an identifier count instead
}

// Finds the ends of sentences: after '.', '!', '?' or ';' before a space, after a line, after
// 。！？.
std::vector<std::size_t> sentenceEnds(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < text.size();) {
    const Character here = characterAt(text, at);
    at += here.size;
    const bool closes =
        here.code == U'.' || here.code == U'!' || here.code == U'?' || here.code == U';';
    const bool beforeSpace =
        at >= text.size() || text[at] == ' ' || text[at] == '"' || text[at] == '\n';
    const bool wide = here.code == 0x3002 || here.code == 0xFF01 || here.code == 0xFF1F;
    if ((closes && beforeSpace) || wide || here.code == U'\n') ends.push_back(at);
  }
  if (ends.empty() || ends.back() < text.size()) ends.push_back(text.size());
  return ends;
}

// A term counts once in a query, at its greatest weight, however often it is repeated.
void countOnce(std::vector<WeightedTerm> &terms) {
  std::sort(terms.begin(), terms.end(), [](const WeightedTerm &a, const WeightedTerm &b) {
    return a.term != b.term ? a.term < b.term : a.weight > b.weight;
  });
  const auto same = [](const WeightedTerm &a, const WeightedTerm &b) { return a.term == b.term; };
  terms.erase(std::unique(terms.begin(), terms.end(), same), terms.end());
}

} // namespace

std::vector<std::string_view> sentencesOf(std::string_view text) {
  text = text.substr(0, longestQuery);
  std::vector<std::string_view> sentences;
  std::size_t begin = 0;
  for (const std::size_t end : sentenceEnds(text)) {
    std::string_view sentence = text.substr(begin, end - begin);
    begin = end;
    sentence = trimmedAsciiSpace(sentence);
    if (!sentence.empty()) sentences.push_back(sentence);
  }
  return sentences;
}

Query parseQuery(std::string_view text, const Snapshot &snapshot, const Language &language,
                 const Options &options) {
  text = text.substr(0, longestQuery);
  const std::vector<Asked> words = askedWords(text, language);
  const bool isLong = words.size() > shortQuery;
  Stemmer stemmer = language.stemmer();
  Query query;
  query.words = QueryTerms(options.bodyCommonness);
  std::vector<std::pair<std::string, float>> stems; // each stem with its information
  std::vector<TermSet> sentences;
  const std::vector<std::size_t> ends = sentenceEnds(text);
  std::size_t sentence = ends.size(); // sentence of the previous word
  std::size_t next = 0;
  for (const Asked &word : words) {
    while (next + 1 < ends.size() && word.begin >= ends[next]) ++next;
    if (next != sentence) sentences.emplace_back();
    sentence = next;
    const auto weight = static_cast<float>(isLong && word.request ? options.requestWordWeight : 1);
    const auto add = [&](std::vector<WeightedTerm> TermSet::*list, std::uint32_t term) {
      (query.whole.*list).push_back({term, weight});
      (sentences.back().*list).push_back({term, weight});
    };
    const std::string_view stem = stemmer.stem(word.text);
    const auto term = query.words.find(stem, snapshot, &Segment::words);
    const double counted = term ? static_cast<double>(query.words.rarity(*term))
                                : ofUnknown(word.kind) * rarityOf(1, snapshot.size());
    if (!stem.empty()) stems.emplace_back(stem, weight * static_cast<float>(counted));
    if (term) add(&TermSet::words, *term);
    if (options.similarityWeight <= 0) continue;
    forEachRun(word.text, [&](std::string_view run) {
      if (const auto term = query.runs.find(run, snapshot, &Segment::runs))
        add(&TermSet::runs, *term);
    });
  }
  if (sentences.size() > 1) query.sentences = std::move(sentences);
  countOnce(query.whole.words);
  countOnce(query.whole.runs);
  for (TermSet &terms : query.sentences) {
    countOnce(terms.words);
    countOnce(terms.runs);
  }
  std::sort(stems.begin(), stems.end(), [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  for (auto &[stem, information] : stems) {
    if (!query.stems.empty() && query.stems.back() == stem) continue;
    const auto term = query.words.find(stem, snapshot, &Segment::words);
    query.rarities.push_back(term ? query.words.rarity(*term) : 0);
    query.stems.push_back(std::move(stem));
    query.terms.push_back(term);
    query.information.push_back(information);
  }
  return query;
}

} // namespace skillhost::keyword
