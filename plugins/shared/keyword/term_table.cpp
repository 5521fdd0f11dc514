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
std::uint32_t hashOf(std::string_view term) noexcept {
  return static_cast<std::uint32_t>(TextHash{}(term));
}
} // namespace

std::size_t TermTable::slotOf(std::string_view term, std::uint32_t hash) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot].next != 0 &&
         (slots_[slot].hash != hash || this->term(slots_[slot].next - 1) != term))
    slot = (slot + 1) & mask;
  return slot;
}

void TermTable::rehash(std::size_t slots) {
  std::vector<Slot> fresh(slots);
  for (const Slot &old : slots_) {
    if (old.next == 0) continue;
    std::size_t slot = old.hash & (slots - 1);
    while (fresh[slot].next != 0) slot = (slot + 1) & (slots - 1);
    fresh[slot] = old;
  }
  slots_ = std::move(fresh);
}

std::uint32_t TermTable::number(std::string_view term) {
  if (slots_.size() < slotsFor(size() + 1)) rehash(slotsFor(size() + 1));
  const std::uint32_t hash = hashOf(term);
  const std::size_t slot = slotOf(term, hash);
  if (slots_[slot].next != 0) return slots_[slot].next - 1;
  ends_.push_back(static_cast<std::uint32_t>(text_.size() + term.size()));
  try {
    text_.append(term);
  } catch (...) {
    ends_.resize(ends_.size() - 1);
    throw;
  }
  slots_[slot] = {hash, static_cast<std::uint32_t>(size())};
  return slots_[slot].next - 1;
}

std::optional<std::uint32_t> TermTable::find(std::string_view term) const noexcept {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t next = slots_[slotOf(term, hashOf(term))].next;
  return next == 0 ? std::nullopt : std::optional(next - 1);
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
  std::vector<Slot> slots(slotsFor(ends_.size()));
  for (std::uint32_t number = 0; number < ends_.size(); ++number) {
    const std::uint32_t hash = hashOf(term(number));
    std::size_t slot = hash & (slots.size() - 1);
    while (slots[slot].next != 0) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = {hash, number + 1};
  }
  slots_ = std::move(slots);
}

} // namespace skillhost::keyword
