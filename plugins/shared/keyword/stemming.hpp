// SPDX-License-Identifier: Apache-2.0
// Words to their stems, by libstemmer; the only file that knows that library.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct sb_stemmer;

namespace skillhost::keyword {

// One thread at a time; cheap to make, so every query has its own.
class Stemmer {
public:
  // `language` is a Snowball algorithm in UTF-8 ("english", "german", ...) or "none", which leaves
  // words alone. Throws std::invalid_argument when there is no such algorithm.
  explicit Stemmer(const std::string &language);
  // The stem of a word in lower case; the view is valid until the next call.
  std::string_view stem(std::string_view word);

private:
  struct Delete {
    void operator()(sb_stemmer *stemmer) const noexcept;
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer_; // empty: no stemming
};

} // namespace skillhost::keyword
