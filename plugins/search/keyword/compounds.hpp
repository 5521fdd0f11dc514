// SPDX-License-Identifier: Apache-2.0
// Words that were run together ("airqualityforecast") into the words that entries are known to use.
#pragma once

#include "term_table.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::keyword {

// The words in use, counted, so that what was added can be taken away. One thread at a time.
class Vocabulary {
public:
  void add(std::string_view word);
  void remove(std::string_view word); // of a word that was added
  // Changes whenever a word appears or disappears.
  std::uint64_t version() const noexcept { return version_; }
  // The known words a long word is made of, at least three letters each and most of it together;
  // empty when it is not a compound.
  std::vector<std::string> split(std::string_view word) const;

private:
  bool knows(std::string_view word) const noexcept {
    const auto found = words_.find(word);
    return found && counts_[*found] > 0;
  }
  void forgetUnused(); // once most words are

  TermTable words_;                   // some of them no longer in use
  std::vector<std::uint32_t> counts_; // of each word
  std::size_t unused_ = 0;
  std::uint64_t version_ = 0;
};

// Whether split() can say anything about the word.
bool maybeCompound(std::string_view word) noexcept;

} // namespace skillhost::keyword
