// SPDX-License-Identifier: Apache-2.0
// Where in a text the words of a query stand.
#pragma once

#include "query.hpp"

#include <bitset>

namespace skillhost::keyword {

struct Match {
  std::size_t begin, end; // bytes of the text
  std::size_t stem;       // which of the query's
  float rarity;
};

// Refers to what it is made of; one thread at a time.
class MatchFinder {
public:
  MatchFinder(const Query &query, Stemmer &stemmer);
  std::vector<Match> find(std::string_view text); // in order of where they begin

private:
  bool mayMatch(std::string_view chunk) const noexcept;
  void examine(std::string_view chunk, std::size_t offset, std::vector<Match> &found);

  const Query &query_;
  Stemmer &stemmer_;
  std::bitset<65536> starts_; // the first two bytes of every stem
};

} // namespace skillhost::keyword
