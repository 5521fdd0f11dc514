// SPDX-License-Identifier: Apache-2.0
// Stems words with libstemmer. Only this file includes that library.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct sb_stemmer;

namespace skillhost::keyword {

// Only one thread at a time may use a stemmer. It is cheap, so every query creates its own.
class Stemmer {
public:
  // `language` is a Snowball algorithm in UTF-8 ("english", "german", ...) or "none", which leaves
  // words alone. Throws std::invalid_argument when there is no such algorithm.
  explicit Stemmer(const std::string &language);
  // Stems a word in lower case. The view is valid until the next call.
  std::string_view stem(std::string_view word);

private:
  struct Delete {
    void operator()(sb_stemmer *stemmer) const noexcept;
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer_; // null: no stemming
};

} // namespace skillhost::keyword
