// SPDX-License-Identifier: Apache-2.0
// Finds the words of a query in a text.
#pragma once

#include "query.hpp"

#include <bitset>

namespace skillhost::keyword {

struct Match {
  std::size_t begin, end; // bytes of the text
  std::size_t stem;       // index of the query's stem
  float rarity;
};

// Refers to its arguments, which must outlive it. Only one thread at a time may use it.
class MatchFinder {
public:
  MatchFinder(const Query &query, Stemmer &stemmer);
  std::vector<Match> find(std::string_view text); // sorted by begin

private:
  bool mayMatch(std::string_view chunk) const noexcept;
  void examine(std::string_view chunk, std::size_t offset, std::vector<Match> &found);

  const Query &query_;
  Stemmer &stemmer_;
  std::bitset<65536> starts_; // the first two bytes of every stem
};

} // namespace skillhost::keyword
