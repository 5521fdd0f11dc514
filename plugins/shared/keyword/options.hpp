// SPDX-License-Identifier: Apache-2.0
// What an operator may set about the index; schema.json says the same to people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::keyword {

struct Options {
  double nameWeight = 1.0; // weights say how much one occurrence in a field counts
  double keywordsWeight = 1.0;
  double descriptionWeight = 0.8;
  double bodyWeight = 0.08;
  // An entry that has a word in its body alone counts so much towards how common the word is, 0
  // to 1.
  double bodyCommonness = 0.3;
  double k1 = 2.0;                                   // how slowly repetitions stop to count, >= 0
  double b = 0.5;                                    // how much long fields are discounted, 0 to 1
  std::size_t bodyBytes = 8192;                      // of each body that are indexed
  std::string language = "english";                  // a Snowball algorithm, or "none"
  std::optional<std::vector<std::string>> stopWords; // instead of the language's own
  double requestWordWeight = 0.7; // of "please", "find" and the like in a long query, 0 to 1
  double similarityWeight = 0.1;  // of matching runs of four letters, 0 turns them off
  double sentenceWeight = 0.7;    // of a query's sentences taken singly, 0 to 1
};

} // namespace skillhost::keyword
