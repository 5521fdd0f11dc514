// SPDX-License-Identifier: Apache-2.0
// In: what somebody asked. Out: the terms of the index to look for, as a whole and by sentence.
#pragma once

#include "language.hpp"
#include "options.hpp"
#include "query_terms.hpp"

namespace skillhost::keyword {

inline constexpr std::size_t longestQuery = 2000; // bytes that are read
inline constexpr std::size_t mostQueryTerms = 100;

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
  std::vector<TermSet> sentences;                  // none when there is only one
  std::vector<std::string> stems;                  // of the whole, for the snippet; sorted
  std::vector<std::optional<std::uint32_t>> terms; // of each stem, in `words`; nothing: no entry
  std::vector<float> rarities;                     // of each stem; 0 when no entry has it
  // Of each stem, its weight times its rarity; what no entry has is as rare as what one has, but
  // pairs of characters count a quarter of that.
  std::vector<float> information;
};

// Only terms that the snapshot has; terms beyond the limits above are left out.
Query parseQuery(std::string_view text, const Snapshot &snapshot, const Language &language,
                 const Options &options);

// The sentences of as much of a text as is read of a query, without white space around them; none
// is empty.
std::vector<std::string_view> sentencesOf(std::string_view text);

} // namespace skillhost::keyword
