// SPDX-License-Identifier: Apache-2.0
// Options of the index that an operator can set; schema.json documents them for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::keyword {

struct Options {
  double nameWeight = 1.0; // weight of one occurrence in a field
  double keywordsWeight = 1.0;
  double descriptionWeight = 0.8;
  double bodyWeight = 0.08;
  // Share, 0 to 1, by which an entry that has a word only in its body makes that word more common.
  double bodyCommonness = 0.3;
  // >= 0; higher values let repetitions count longer.
  double k1 = 2.0;
  // 0 to 1; how strongly long fields are discounted.
  double b = 0.5;
  std::size_t bodyBytes = 8192;                      // bytes of each body that are indexed
  std::string language = "english";                  // a Snowball algorithm, or "none"
  std::optional<std::vector<std::string>> stopWords; // replaces the language's own list
  double requestWordWeight = 0.7; // weight of "please", "find" and the like in a long query, 0 to 1
  double similarityWeight = 0.1;  // weight of matching runs of four letters; 0 turns them off
  double sentenceWeight = 0.7;    // weight of a long query's single sentences, 0 to 1
  // Share of a long query's score that fields decide which saturate apart, 0 to 1; see ranking.cpp.
  // It has no key in the configuration: only benchmarks change it.
  double apartShare = 0.6;
};

} // namespace skillhost::keyword
