// SPDX-License-Identifier: Apache-2.0
// In: the texts of one entry. Out: the numbers of its terms, ready for the postings.
#pragma once

#include "filter.hpp"
#include "language.hpp"
#include "term_table.hpp"
#include "term_vector.hpp"
#include "tokens.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace skillhost::keyword {

// Runs of four characters of a word between '^' and '$': what similar words have in common. Words
// that are too short for one have none.
void forEachRun(std::string_view word, const std::function<void(std::string_view)> &take);

struct AnalysedEntry {
  TermVector words, runs;
  std::vector<std::string> longWords;  // see longWordsOf()
  std::vector<std::string> vocabulary; // see vocabularyOf()
};

struct FieldTexts {
  std::string_view name, description, body;
  std::vector<std::string_view> keywords;
};
// Of anything that has a name, a description and attributes; without the body.
template <class Entry> FieldTexts textsOf(const Entry &entry) {
  return {entry.name, entry.description, {}, valuesOf(entry.attributes, "keywords")};
}

// The words that vouch for the parts of compounds, as often as they do. Needs no body.
std::vector<std::string> vocabularyOf(const FieldTexts &texts);
// Of the name and keywords: they may turn out to be compounds.
std::vector<std::string> longWordsOf(const FieldTexts &texts);

// Keeps the tables that give terms their numbers. One thread at a time.
class Analyser {
public:
  explicit Analyser(std::shared_ptr<const Language> language)
      : language_(std::move(language)), stemmer_(language_->stemmer()) {}

  AnalysedEntry analyse(const FieldTexts &texts);
  const TermTable &words() const noexcept { return words_; }
  const TermTable &runs() const noexcept { return runs_; }

private:
  static constexpr std::uint32_t stopWord = UINT32_MAX;
  std::uint32_t number(std::string_view word); // of its stem; stopWord when it is one
  void field(std::string_view text, Field field);

  std::shared_ptr<const Language> language_;
  Stemmer stemmer_;
  TermTable words_, runs_;
  TermTable known_;                    // words before stemming
  std::vector<std::uint32_t> numbers_; // what number() says of them
  TermCounter wordCounter_, runCounter_;
};

} // namespace skillhost::keyword
