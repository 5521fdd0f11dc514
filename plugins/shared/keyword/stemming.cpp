// SPDX-License-Identifier: Apache-2.0
#include "stemming.hpp"

#include <libstemmer.h>

#include <new>
#include <stdexcept>

namespace skillhost::keyword {

void Stemmer::Delete::operator()(sb_stemmer *stemmer) const noexcept { sb_stemmer_delete(stemmer); }

Stemmer::Stemmer(const std::string &language) {
  if (language == "none") return;
  stemmer_.reset(sb_stemmer_new(language.c_str(), nullptr));
  if (!stemmer_) throw std::invalid_argument("no stemmer for the language \"" + language + "\"");
}

std::string_view Stemmer::stem(std::string_view word) {
  if (!stemmer_) return word;
  // libstemmer uses unsigned char for the same bytes.
  const auto *stemmed =
      sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol *>(word.data()),
                      static_cast<int>(word.size()));
  if (stemmed == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char *>(stemmed),
          static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
}

} // namespace skillhost::keyword
