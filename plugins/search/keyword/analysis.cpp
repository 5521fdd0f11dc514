// SPDX-License-Identifier: Apache-2.0
#include "analysis.hpp"

#include "characters.hpp"
#include "compounds.hpp"

#include <algorithm>

namespace skillhost::keyword {

namespace {

constexpr std::size_t mostRemembered = 4096; // words whose number is known without stemming

// Leaves in the table only the terms of `vectors`, which get their new numbers, once most others
// are in none of them. Says whether it did.
bool renumber(TermTable &table, std::span<TermVector *const> vectors) {
  constexpr std::size_t tolerated = 10'000;
  std::vector<bool> used(table.size());
  for (const TermVector *terms : vectors)
    for (const TermCount &count : terms->counts) used[count.term] = true;
  const auto alive = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  if (table.size() <= 2 * alive + tolerated) return false;
  TermTable kept;
  std::vector<std::uint32_t> numbers(table.size());
  for (std::uint32_t term = 0; term < table.size(); ++term)
    if (used[term]) numbers[term] = kept.number(table.term(term));
  for (TermVector *terms : vectors) // nothing throws from here
    for (TermCount &count : terms->counts) count.term = numbers[count.term];
  table = std::move(kept);
  return true;
}

} // namespace

void forEachRun(std::string_view word, const std::function<void(std::string_view)> &take) {
  constexpr std::size_t runLength = 4;
  const std::string framed = "^" + std::string(word) + "$";
  std::vector<std::size_t> starts; // of characters, so that none is cut in two
  for (std::size_t at = 0; at < framed.size(); at += characterAt(framed, at).size)
    starts.push_back(at);
  starts.push_back(framed.size());
  for (std::size_t i = 0; i + runLength < starts.size(); ++i)
    take(std::string_view(framed).substr(starts[i], starts[i + runLength] - starts[i]));
}

void TermCounter::add(std::uint32_t term, Field field) {
  keys_.push_back(std::uint64_t{term} << 8U | static_cast<std::uint64_t>(field));
}

TermVector TermCounter::take() {
  TermVector terms;
  std::sort(keys_.begin(), keys_.end());
  for (std::size_t i = 0; i < keys_.size();) {
    std::size_t end = i;
    while (end < keys_.size() && keys_[end] == keys_[i]) ++end;
    const auto field = static_cast<Field>(keys_[i] & 0xFFU);
    terms.counts.push_back({static_cast<std::uint32_t>(keys_[i] >> 8U), field,
                            static_cast<std::uint8_t>(std::min<std::size_t>(end - i, 255))});
    terms.lengths[indexOf(field)] += static_cast<std::uint32_t>(end - i);
    i = end;
  }
  keys_.clear();
  terms.counts.shrink_to_fit();
  return terms;
}

std::uint32_t Analyser::number(std::string_view word) {
  if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
  const std::uint32_t number =
      language_->isStopWord(word) ? stopWord : words_.number(stemmer_.stem(word));
  if (numbers_.size() >= mostRemembered) numbers_.clear();
  numbers_.emplace(word, number);
  return number;
}

void Analyser::field(std::string_view text, Field field, AnalysedEntry &entry) {
  for (const Token &token : tokenise(text)) {
    const std::uint32_t term = number(token.text);
    if (term == stopWord) continue;
    wordCounter_.add(term, field);
    if (field == Field::Body || (token.kind != TokenKind::Word && token.kind != TokenKind::Whole))
      continue;
    forEachRun(token.text,
               [&](std::string_view run) { runCounter_.add(runs_.number(run), field); });
    if (field != Field::Description && token.kind == TokenKind::Word && maybeCompound(token.text))
      entry.longWords.push_back(token.text);
  }
}

bool Analyser::trim(std::span<AnalysedEntry *const> entries) {
  numbers_.clear();
  std::vector<TermVector *> words;
  std::vector<TermVector *> runs;
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
  const auto collect = [&words](std::string_view text, bool trusted) {
    const std::vector<Token> tokens = tokenise(text);
    for (const Token &token : tokens) {
      if (token.kind != TokenKind::Word) continue;
      // A name that is one long word may itself be run together, so it vouches for nothing.
      if (trusted || tokens.size() > 1 || !maybeCompound(token.text)) words.push_back(token.text);
    }
  };
  collect(texts.name, false);
  collect(texts.description, true);
  for (const std::string_view keyword : texts.keywords) collect(keyword, true);
  return words;
}

} // namespace skillhost::keyword
