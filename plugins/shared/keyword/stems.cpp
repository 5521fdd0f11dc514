// SPDX-License-Identifier: Apache-2.0
#include "stems.hpp"

namespace skillhost::keyword {

void Stems::clear() {
  words_ = {};
  stems_ = {};
  stemOf_.clear();
}

std::uint32_t Stems::number(std::string_view word) {
  if (const auto known = words_.find(word)) return *known;
  const std::uint32_t stem =
      language_->isStopWord(word) ? none : stems_.number(stemmer_.stem(word));
  if (stemOf_.size() == stemOf_.capacity()) stemOf_.reserve(2 * stemOf_.size() + 1);
  const std::uint32_t number = words_.number(word);
  stemOf_.push_back(stem);
  return number;
}

} // namespace skillhost::keyword
