// SPDX-License-Identifier: Apache-2.0
// In: the texts of one entry. Out: the numbers of its terms, ready for the postings.
#pragma once

#include "language.hpp"
#include "term_table.hpp"
#include "term_vector.hpp"
#include "tokens.hpp"

#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace skillhost::keyword {

// Runs of four characters of a word between '^' and '$': what similar words have in common. Words
// that are too short for one have none.
void forEachRun(std::string_view word, const std::function<void(std::string_view)> &take);

struct AnalysedEntry {
  TermVector words, runs;
  std::vector<std::string> longWords; // of the name and keywords: may turn out to be compounds
};

struct FieldTexts {
  std::string_view name, description, body;
  std::vector<std::string_view> keywords;
};

// The writer's half: keeps the tables that give terms their numbers. One thread at a time.
class Analyser {
public:
  explicit Analyser(std::shared_ptr<const Language> language)
      : language_(std::move(language)), stemmer_(language_->stemmer()) {}

  AnalysedEntry analyse(const FieldTexts &texts);
  // The words that vouch for the parts of compounds.
  std::vector<std::string> vocabulary(const FieldTexts &texts) const;
  std::uint32_t number(std::string_view word); // of its stem; stopWord when it is one
  const TermTable &words() const noexcept { return words_.table(); }
  std::shared_ptr<const TermTable> shareWords() { return words_.share(); }
  std::shared_ptr<const TermTable> shareRuns() { return runs_.share(); }
  // Forgets the words looked up so far, which only made looking up again faster, and, when most
  // terms are in none of `entries` any more, the terms: then `entries` get new numbers, and those
  // of words given out before are void. Says whether that happened.
  bool trim(std::span<AnalysedEntry *const> entries);

  static constexpr std::uint32_t stopWord = UINT32_MAX;

private:
  void field(std::string_view text, Field field, AnalysedEntry &entry);

  std::shared_ptr<const Language> language_;
  Stemmer stemmer_;
  GrowingTerms words_, runs_;
  TermTable known_;                    // words before stemming
  std::vector<std::uint32_t> numbers_; // what number() says of them
  TermCounter wordCounter_, runCounter_;
};

} // namespace skillhost::keyword
