// SPDX-License-Identifier: Apache-2.0
#include "term_table.hpp"

#include <bit>

namespace skillhost::keyword {

std::uint32_t TermTable::number(std::string_view term) {
  if (const auto found = numbers_.find(term); found != numbers_.end()) return found->second;
  const auto next = static_cast<std::uint32_t>(terms_.size());
  terms_.push_back(&numbers_.emplace(term, next).first->first);
  return next;
}

TermLookup::TermLookup(const std::vector<std::string_view> &terms) {
  std::size_t bytes = 0;
  for (const std::string_view term : terms) bytes += term.size();
  text_.reserve(bytes);
  ends_.reserve(terms.size() + 1);
  ends_.push_back(0);
  slots_.resize(std::bit_ceil(terms.size() * 2 + 1));
  for (std::uint32_t number = 0; number < terms.size(); ++number) {
    text_ += terms[number];
    ends_.push_back(static_cast<std::uint32_t>(text_.size()));
    std::size_t slot = TextHash{}(terms[number]) & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = number + 1;
  }
}

std::optional<std::uint32_t> TermLookup::find(std::string_view term) const noexcept {
  if (slots_.empty()) return std::nullopt;
  std::size_t slot = TextHash{}(term) & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
    if (textOf(slots_[slot] - 1) == term) return slots_[slot] - 1;
  return std::nullopt;
}

} // namespace skillhost::keyword
