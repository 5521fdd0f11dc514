// SPDX-License-Identifier: Apache-2.0
#include "skills/entry_index.hpp"

#include <bit>
#include <stdexcept>

namespace skillhost {

EntryIndex::EntryIndex(std::size_t maxTexts) : slots_(std::bit_ceil(2 * maxTexts + 1)) {
  items_.reserve(maxTexts);
}

std::size_t EntryIndex::slotOf(std::string_view text, std::uint32_t hash) const noexcept {
  const std::size_t last = slots_.size() - 1;
  for (std::size_t at = hash & last;; at = (at + 1) & last) {
    const Slot &slot = slots_[at];
    if (slot.item == 0 || (slot.hash == hash && items_[slot.item - 1].text == text)) return at;
  }
}

std::pair<std::uint32_t, bool> EntryIndex::emplace(std::string_view text,
                                                   const CatalogueEntry *entry) {
  const std::uint32_t hash = hashOf(text);
  Slot &slot = slots_[slotOf(text, hash)];
  if (slot.item != 0) return {slot.item - 1, false};
  if (items_.size() == items_.capacity()) throw std::length_error("more texts than announced");
  items_.push_back({text, entry});
  slot = {hash, static_cast<std::uint32_t>(items_.size())};
  return {slot.item - 1, true};
}

const CatalogueEntry *EntryIndex::find(std::string_view text) const noexcept {
  const Slot &slot = slots_[slotOf(text, hashOf(text))];
  return slot.item == 0 ? nullptr : items_[slot.item - 1].entry;
}

} // namespace skillhost
