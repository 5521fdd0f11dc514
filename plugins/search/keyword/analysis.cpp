// SPDX-License-Identifier: Apache-2.0
#include "analysis.hpp"

#include "characters.hpp"
#include "compounds.hpp"

#include <algorithm>
#include <array>

namespace skillhost::keyword {

namespace {

constexpr std::size_t mostRemembered = 16'384; // words whose number is known without stemming
constexpr std::uint32_t unknown = UINT32_MAX - 1;

// Leaves in the table only the terms of `vectors`, which get their new numbers, once most others
// are in none of them. Says whether it did.
bool renumber(GrowingTerms &terms, std::span<TermVector *const> vectors) {
  constexpr std::size_t tolerated = 10'000;
  const TermTable &table = terms.table();
  if (table.size() <= tolerated) return false;
  std::vector<bool> used(table.size());
  for (const TermVector *vector : vectors) {
    TermReader reader(*vector);
    while (const auto count = reader.next()) used[count->term] = true;
  }
  const auto alive = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  if (table.size() <= 2 * alive + tolerated) return false;
  GrowingTerms kept;
  std::vector<std::uint32_t> numbers(table.size());
  for (std::uint32_t term = 0; term < table.size(); ++term)
    if (used[term]) numbers[term] = kept.number(table.term(term));
  std::vector<TermVector> renumbered;
  renumbered.reserve(vectors.size());
  for (const TermVector *vector : vectors) {
    std::vector<TermCount> counts = vector->counts();
    for (TermCount &count : counts) count.term = numbers[count.term];
    renumbered.emplace_back(counts, vector->lengths());
  }
  for (std::size_t i = 0; i < vectors.size(); ++i) // nothing throws from here
    *vectors[i] = std::move(renumbered[i]);
  terms = std::move(kept);
  return true;
}

} // namespace

void forEachRun(std::string_view word, const std::function<void(std::string_view)> &take) {
  constexpr std::size_t runLength = 4;
  const std::string framed = "^" + std::string(word) + "$";
  std::array<std::size_t, runLength> starts{}; // of the last characters, so that none is cut in two
  std::size_t characters = 0;
  for (std::size_t at = 0; at < framed.size();) {
    starts[characters++ % runLength] = at;
    at += characterAt(framed, at).size;
    const std::size_t begin = starts[characters % runLength];
    if (characters >= runLength) take(std::string_view(framed).substr(begin, at - begin));
  }
}

std::uint32_t Analyser::number(std::string_view word) {
  if (known_.size() >= mostRemembered) {
    known_ = {};
    numbers_.clear();
  }
  const std::uint32_t place = known_.number(word);
  if (place >= numbers_.size()) numbers_.resize(known_.size(), unknown);
  std::uint32_t &number = numbers_[place];
  if (number == unknown)
    number = language_->isStopWord(word) ? stopWord : words_.number(stemmer_.stem(word));
  return number;
}

void Analyser::field(std::string_view text, Field field, AnalysedEntry &entry) {
  const auto takeRun = [&](std::string_view run) { runCounter_.add(runs_.number(run), field); };
  forEachToken(text, [&](const Token &token) {
    const std::uint32_t term = number(token.text);
    if (term == stopWord) return;
    wordCounter_.add(term, field);
    if (field == Field::Body || (token.kind != TokenKind::Word && token.kind != TokenKind::Whole))
      return;
    forEachRun(token.text, takeRun);
    if (field != Field::Description && token.kind == TokenKind::Word && maybeCompound(token.text))
      entry.longWords.emplace_back(token.text);
  });
}

bool Analyser::trim(std::span<AnalysedEntry *const> entries) {
  known_ = {};
  numbers_ = {};
  std::vector<TermVector *> words;
  std::vector<TermVector *> runs;
  words.reserve(entries.size());
  runs.reserve(entries.size());
  for (AnalysedEntry *entry : entries) {
    words.push_back(&entry->words);
    runs.push_back(&entry->runs);
  }
  const bool renumbered = renumber(words_, words);
  renumber(runs_, runs);
  return renumbered;
}

AnalysedEntry Analyser::analyse(const FieldTexts &texts) {
  AnalysedEntry entry;
  field(texts.name, Field::Name, entry);
  for (const std::string_view keyword : texts.keywords) field(keyword, Field::Keywords, entry);
  field(texts.description, Field::Description, entry);
  field(texts.body, Field::Body, entry);
  entry.words = wordCounter_.take();
  entry.runs = runCounter_.take();
  return entry;
}

std::vector<std::string> Analyser::vocabulary(const FieldTexts &texts) const {
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
