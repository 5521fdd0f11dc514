// SPDX-License-Identifier: Apache-2.0
// What the index knows about a language: its stemmer, the words that carry no meaning, and those
// that only dress up a request.
#pragma once

#include "stemming.hpp"
#include "text_set.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skillhost::keyword {

// Immutable once made: any thread may ask.
class Language {
public:
  // Throws std::invalid_argument when `name` is not a Snowball algorithm or "none". Only English
  // brings stop words and request words of its own; `stopWords` replaces the former.
  Language(std::string name, const std::optional<std::vector<std::string>> &stopWords);

  Stemmer stemmer() const { return Stemmer(name_); }
  const TextSet &stopWords() const noexcept { return stopWords_; }
  bool isStopWord(std::string_view word) const { return stopWords_.find(word) != stopWords_.end(); }
  // "please", "find", "recommend": common in what people ask, so weak evidence of what about.
  bool isRequestWord(std::string_view word) const {
    return requestWords_.find(word) != requestWords_.end();
  }

private:
  std::string name_;
  TextSet stopWords_, requestWords_;
};

} // namespace skillhost::keyword
