// SPDX-License-Identifier: Apache-2.0
// Splits words that were run together ("airqualityforecast") into words that entries are known to
// use.
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

// Counts the words in use, so that they can be removed again. Only one thread at a time may use it.
class Vocabulary {
public:
  // Returns true if the word is new.
  bool add(std::string_view word, std::uint32_t times = 1);
  // Removes a word that was added. Returns true if the word is not known any more.
  bool remove(std::string_view word);
  // Returns the known words that make up a long word. Each has at least three letters and together
  // they cover most of it. The result is empty if the word is not a compound.
  std::vector<std::string> split(std::string_view word) const;

private:
  bool knows(std::string_view word) const noexcept {
    const auto found = words_.find(word);
    return found && counts_[*found] > 0;
  }
  void forgetUnused(); // called once most words are unused

  TermTable words_;                   // some of its words are no longer in use
  std::vector<std::uint32_t> counts_; // uses of each word
  std::size_t unused_ = 0;
};

// True if the length of the word lets split() find parts in it.
bool maybeCompound(std::string_view word) noexcept;

// Maps a stem to the long words that contain it. It is immutable, and copies share what did not
// change.
class CompoundParts {
public:
  struct LongWord {
    std::string word;
    std::uint32_t times; // occurrences of the stem in the word
  };
  // Null if no long word contains the stem.
  const std::vector<LongWord> *find(std::string_view stem) const noexcept;

private:
  friend class Compounds;
  using Shard = TextMap<std::vector<LongWord>>;
  static constexpr std::size_t shards = 64; // many, so that a change copies little
  std::array<std::shared_ptr<const Shard>, shards> shards_;
};

// Keeps all long words of names and keywords with their parts, according to the words in use. An
// update costs time only for the words that it touches. Only one thread at a time may use it.
class Compounds {
public:
  explicit Compounds(std::shared_ptr<const Language> language);

  void addWord(std::string_view word, std::uint32_t times = 1);
  void removeWord(std::string_view word); // the word must have been added
  void addLong(std::string_view word, std::uint32_t times = 1);
  void removeLong(std::string_view word); // the word must have been added
  // Splits by the words that are in use now. Throws what `checkpoint` throws; the next call then
  // goes on.
  CompoundParts parts(const std::function<void()> &checkpoint);

private:
  using Parts = std::map<std::string, std::uint32_t>; // count by stem
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
  std::set<std::string, std::less<>> changed_; // words that appeared or disappeared
  std::set<std::string, std::less<>> touched_; // long words to be split again
  CompoundParts published_;
  std::array<bool, CompoundParts::shards> copied_{}; // shards copied since the last parts()
};

} // namespace skillhost::keyword
