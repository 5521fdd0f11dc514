// SPDX-License-Identifier: Apache-2.0
// Words that were run together ("airqualityforecast") into the words that entries are known to use.
#pragma once

#include "language.hpp"
#include "term_table.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::keyword {

// The words in use, counted, so that what was added can be taken away. One thread at a time.
class Vocabulary {
public:
  // Says whether it was not known before.
  bool add(std::string_view word, std::uint32_t times = 1);
  // Of a word that was added. Says whether it is not known any more.
  bool remove(std::string_view word);
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
};

// Whether split() can say anything about the word.
bool maybeCompound(std::string_view word) noexcept;

// By stem the long words that it is a part of. Immutable; a copy shares what it can.
class CompoundParts {
public:
  struct LongWord {
    std::string word;
    std::uint32_t times; // the stem is in it
  };
  // Null: of none.
  const std::vector<LongWord> *find(std::string_view stem) const noexcept;

private:
  friend class Compounds;
  using Shard = TextMap<std::vector<LongWord>>;
  static constexpr std::size_t shards = 64; // so that a change copies little
  std::array<std::shared_ptr<const Shard>, shards> shards_;
};

// All long words of names and keywords and what they are made of, by the words that are in use. A
// change costs what it touches. One thread at a time.
class Compounds {
public:
  explicit Compounds(std::shared_ptr<const Language> language);

  void addWord(std::string_view word, std::uint32_t times = 1);
  void removeWord(std::string_view word); // of one that was added
  void addLong(std::string_view word, std::uint32_t times = 1);
  void removeLong(std::string_view word); // of one that was added
  // Of the words that there are now. Throws what `checkpoint` does, and goes on the next time.
  CompoundParts parts(const std::function<void()> &checkpoint);

private:
  using Parts = std::map<std::string, std::uint32_t>; // stem, how often
  struct Known {
    std::uint32_t uses = 0;
    Parts parts;
  };
  Parts partsOf(const std::string &word);
  void splitAgain(const std::string &word);
  CompoundParts::Shard &writable(const std::string &stem);

  std::shared_ptr<const Language> language_;
  Stemmer stemmer_;
  Vocabulary vocabulary_;
  std::map<std::string, Known, std::less<>> known_;
  std::set<std::string, std::less<>> changed_; // words that have appeared or disappeared
  std::set<std::string, std::less<>> touched_; // long words that are to be looked at again
  CompoundParts published_;
  std::array<bool, CompoundParts::shards> copied_{}; // since the last parts()
};

} // namespace skillhost::keyword
