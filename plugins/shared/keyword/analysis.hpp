// SPDX-License-Identifier: Apache-2.0
// Analysis turns the texts of one entry into the numbers of its terms, ready for the postings.
#pragma once

#include "filter.hpp"
#include "language.hpp"
#include "stems.hpp"
#include "term_counts.hpp"
#include "term_table.hpp"
#include "tokens.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace skillhost::keyword {

// Calls `take` with each run of four characters of "^word$". Similar words share runs. A word that
// is too short has none.
void forEachRun(std::string_view word, const std::function<void(std::string_view)> &take);

struct AnalysedEntry {
  TermCounts words, runs;
  std::vector<std::string> longWords;  // see longWordsOf()
  std::vector<std::string> vocabulary; // see vocabularyOf()
};

struct FieldTexts {
  std::string_view name, description, body;
  std::vector<std::string_view> keywords;
};
// Works for anything that has a name, a description and attributes. Leaves the body empty.
template <class Entry> FieldTexts textsOf(const Entry &entry) {
  return {entry.name, entry.description, {}, valuesOf(entry.attributes, "keywords")};
}

// Returns the words that prove parts of compounds to be words, repeated as often as they occur. The
// body is not needed.
std::vector<std::string> vocabularyOf(const FieldTexts &texts);
// Returns long words of the name and the keywords, which may turn out to be compounds.
std::vector<std::string> longWordsOf(const FieldTexts &texts);

// The analyser keeps the tables that number terms. Only one thread at a time may use it.
class Analyser {
public:
  // `stems` may be used again when the analyser is destroyed.
  explicit Analyser(Stems &stems) : stems_(stems) {}

  AnalysedEntry analyse(const FieldTexts &texts);
  const TermTable &words() const noexcept { return words_; }
  const TermTable &runs() const noexcept { return runs_; }

private:
  static constexpr std::uint32_t stopWord = UINT32_MAX;
  // Number of the word's stem; stopWord for a stop word.
  std::uint32_t number(std::string_view word);
  void field(std::string_view text, Field field);

  Stems &stems_;
  TermTable words_, runs_;
  std::vector<std::uint32_t> numbers_; // result of number() for each word of stems_
  TermCounter wordCounter_, runCounter_;
};

} // namespace skillhost::keyword
