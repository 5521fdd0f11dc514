// SPDX-License-Identifier: Apache-2.0
#include "term_table.hpp"

#include "ground/bytes.hpp"

#include <algorithm>
#include <bit>

namespace skillhost::keyword {

namespace {
constexpr std::size_t minSlots = 16;
constexpr std::size_t slotsFor(std::size_t terms) noexcept {
  return std::max(minSlots, std::bit_ceil(terms + terms / 2));
}
} // namespace

std::size_t TermTable::slotOf(std::string_view term) const noexcept {
  std::size_t slot = TextHash{}(term) & (slots_.size() - 1);
  while (slots_[slot] != 0 && this->term(slots_[slot] - 1) != term)
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void TermTable::rehash(std::size_t slots) {
  std::vector<std::uint32_t> fresh(slots);
  for (std::uint32_t number = 0; number < ends_.size(); ++number) {
    std::size_t slot = TextHash{}(term(number)) & (slots - 1);
    while (fresh[slot] != 0) slot = (slot + 1) & (slots - 1);
    fresh[slot] = number + 1;
  }
  slots_ = std::move(fresh);
}

std::uint32_t TermTable::number(std::string_view term) {
  if (slots_.size() < slotsFor(size() + 1)) rehash(slotsFor(size() + 1));
  const std::size_t slot = slotOf(term);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  ends_.push_back(static_cast<std::uint32_t>(text_.size() + term.size()));
  try {
    text_.append(term);
  } catch (...) {
    ends_.resize(ends_.size() - 1);
    throw;
  }
  slots_[slot] = static_cast<std::uint32_t>(size());
  return slots_[slot] - 1;
}

std::optional<std::uint32_t> TermTable::find(std::string_view term) const noexcept {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t found = slots_[slotOf(term)];
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

void TermTable::shrink() {
  text_.shrink();
  ends_.shrink();
}

void TermTable::complete() {
  if (!std::is_sorted(ends_.begin(), ends_.end()) ||
      (ends_.empty() ? 0 : ends_.back()) != text_.size())
    throw Damaged("terms that do not follow one another");
  // A damaged file may hold a term twice, with two numbers. find() then returns one of them, which
  // is harmless.
  rehash(slotsFor(ends_.size()));
}

} // namespace skillhost::keyword
