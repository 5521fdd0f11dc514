// SPDX-License-Identifier: Apache-2.0
#include "analysis.hpp"

#include "characters.hpp"
#include "compounds.hpp"

#include <algorithm>
#include <array>

namespace skillhost::keyword {

namespace {

constexpr std::uint32_t unknown = UINT32_MAX - 1;

} // namespace

void forEachRun(std::string_view word, const std::function<void(std::string_view)> &take) {
  constexpr std::size_t runLength = 4;
  const std::string framed = "^" + std::string(word) + "$";
  // Starts of the last characters, so that a run never cuts a character in two.
  std::array<std::size_t, runLength> starts{};
  std::size_t characters = 0;
  for (std::size_t at = 0; at < framed.size();) {
    starts[characters++ % runLength] = at;
    at += characterAt(framed, at).size;
    const std::size_t begin = starts[characters % runLength];
    if (characters >= runLength) take(std::string_view(framed).substr(begin, at - begin));
  }
}

std::uint32_t Analyser::number(std::string_view word) {
  if (stems_.isFull()) {
    stems_.clear();
    numbers_.clear();
  }
  const std::uint32_t place = stems_.number(word);
  if (place >= numbers_.size()) numbers_.resize(stems_.size(), unknown);
  std::uint32_t &number = numbers_[place];
  if (number == unknown)
    number = stems_.isStopWord(place) ? stopWord : words_.number(stems_.stem(place));
  return number;
}

void Analyser::field(std::string_view text, Field field) {
  const auto takeRun = [&](std::string_view run) { runCounter_.add(runs_.number(run), field); };
  forEachToken(text, [&](const Token &token) {
    const std::uint32_t term = number(token.text);
    if (term == stopWord) return;
    wordCounter_.add(term, field);
    if (field != Field::Body && (token.kind == TokenKind::Word || token.kind == TokenKind::Whole))
      forEachRun(token.text, takeRun);
  });
}

AnalysedEntry Analyser::analyse(const FieldTexts &texts) {
  AnalysedEntry entry;
  field(texts.name, Field::Name);
  for (const std::string_view keyword : texts.keywords) field(keyword, Field::Keywords);
  field(texts.description, Field::Description);
  field(texts.body, Field::Body);
  entry.words = wordCounter_.take();
  entry.runs = runCounter_.take();
  entry.longWords = longWordsOf(texts);
  entry.vocabulary = vocabularyOf(texts);
  return entry;
}

std::vector<std::string> longWordsOf(const FieldTexts &texts) {
  std::vector<std::string> words;
  const auto collect = [&words](const Token &token) {
    if (token.kind == TokenKind::Word && maybeCompound(token.text)) words.emplace_back(token.text);
  };
  forEachToken(texts.name, collect);
  for (const std::string_view keyword : texts.keywords) forEachToken(keyword, collect);
  return words;
}

std::vector<std::string> vocabularyOf(const FieldTexts &texts) {
  std::vector<std::string> words;
  const auto collect = [&words](const Token &token) {
    if (token.kind == TokenKind::Word) words.emplace_back(token.text);
  };
  std::size_t tokens = 0;
  forEachToken(texts.name, [&](const Token &token) {
    ++tokens;
    collect(token);
  });
  // A name that is one long word may itself be run together, so it vouches for nothing.
  if (tokens == 1 && !words.empty() && maybeCompound(words.front())) words.clear();
  forEachToken(texts.description, collect);
  for (const std::string_view keyword : texts.keywords) forEachToken(keyword, collect);
  return words;
}

} // namespace skillhost::keyword
