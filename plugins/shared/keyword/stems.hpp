// SPDX-License-Identifier: Apache-2.0
// Remembers the stems of the words that were seen, because most words of a text were seen before.
#pragma once

#include "language.hpp"
#include "term_table.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::keyword {

// Only one thread at a time may use it.
class Stems {
public:
  explicit Stems(std::shared_ptr<const Language> language)
      : language_(std::move(language)), stemmer_(language_->stemmer()) {}

  // True if no further word should be added: clear() it.
  bool isFull() const noexcept { return words_.size() >= maxWords; }
  void clear();
  // Returns the number of a word, which is valid until clear(). Adds the word if it is new.
  std::uint32_t number(std::string_view word);
  std::size_t size() const noexcept { return words_.size(); }
  bool isStopWord(std::uint32_t number) const noexcept { return stemOf_[number] == none; }
  // The word must not be a stop word. The view is valid until the next number().
  std::string_view stem(std::uint32_t number) const noexcept {
    return stems_.term(stemOf_[number]);
  }

private:
  static constexpr std::size_t maxWords = 32'768; // they take some 2 MB
  static constexpr std::uint32_t none = UINT32_MAX;

  std::shared_ptr<const Language> language_;
  Stemmer stemmer_;
  TermTable words_, stems_;
  std::vector<std::uint32_t> stemOf_; // number in stems_ for each word; none for a stop word
};

} // namespace skillhost::keyword
