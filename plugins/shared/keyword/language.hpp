// SPDX-License-Identifier: Apache-2.0
// A language has a stemmer, stop words that carry no meaning, and request words that only dress up
// a request.
#pragma once

#include "stemming.hpp"
#include "text_set.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skillhost::keyword {

// Immutable once built, so any thread may use it.
class Language {
public:
  // Throws std::invalid_argument if `name` is not a Snowball algorithm or "none". Only English has
  // built-in stop words and request words; `stopWords` replaces the former.
  Language(std::string name, const std::optional<std::vector<std::string>> &stopWords);

  Stemmer stemmer() const { return Stemmer(name_); }
  const TextSet &stopWords() const noexcept { return stopWords_; }
  bool isStopWord(std::string_view word) const { return stopWords_.find(word) != stopWords_.end(); }
  // Request words such as "please", "find" and "recommend" are common in questions, so they say
  // little about the subject.
  bool isRequestWord(std::string_view word) const {
    return requestWords_.find(word) != requestWords_.end();
  }

private:
  std::string name_;
  TextSet stopWords_, requestWords_;
};

} // namespace skillhost::keyword
