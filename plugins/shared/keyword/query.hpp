// SPDX-License-Identifier: Apache-2.0
// Parses a question into the terms of the index, for the whole question and for each sentence.
#pragma once

#include "language.hpp"
#include "options.hpp"
#include "query_terms.hpp"

namespace skillhost::keyword {

inline constexpr std::size_t longestQuery = 2000; // bytes; the rest is ignored
inline constexpr std::size_t maxQueryTerms = 100;

struct WeightedTerm {
  std::uint32_t term; // number in the query's words or runs
  float weight;
};

struct TermSet {
  std::vector<WeightedTerm> words, runs; // each term once, ascending
};

struct Query {
  QueryTerms words, runs;
  TermSet whole;
  std::vector<TermSet> sentences; // empty if there is only one sentence
  // Stems of the whole query, sorted, for the snippet.
  std::vector<std::string> stems;
  // Number of each stem in `words`; nothing if no entry has it.
  std::vector<std::optional<std::uint32_t>> terms;
  std::vector<float> rarities; // rarity of each stem; 0 if no entry has it
  // Weight times rarity of each stem. A stem that no entry has counts as rare as one that a single
  // entry has, but a pair of characters counts a quarter of that.
  std::vector<float> information;
};

// Keeps only terms that the snapshot contains, up to the limits above.
Query parseQuery(std::string_view text, const Snapshot &snapshot, const Language &language,
                 const Options &options);

// Splits the part of a text that a query reads into sentences, without surrounding white space. No
// sentence is empty.
std::vector<std::string_view> sentencesOf(std::string_view text);

} // namespace skillhost::keyword
