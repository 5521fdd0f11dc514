// SPDX-License-Identifier: Apache-2.0
// Finds the entries of a catalogue by one of their texts: a name, an id or a URI. The index does
// not copy the texts, so they must outlive it. It allocates memory twice, not once for each text,
// because the index of a large catalogue is made again after each change.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

struct CatalogueEntry;

class EntryIndex {
public:
  struct Item {
    std::string_view text;
    const CatalogueEntry *entry;
  };

  // Makes an index for at most `maxTexts` texts, fewer than 2^31.
  explicit EntryIndex(std::size_t maxTexts = 0);

  // Adds a text with its entry. If the text is there already, its entry stays the same. Returns the
  // number of the text's item, from 0 on, and true if the text is new. Throws std::length_error for
  // more than `maxTexts` texts.
  std::pair<std::uint32_t, bool> emplace(std::string_view text, const CatalogueEntry *entry);
  Item &operator[](std::uint32_t item) noexcept { return items_[item]; }
  // Null if no entry has the text.
  const CatalogueEntry *find(std::string_view text) const noexcept;

private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t item = 0; // its number plus 1; 0: none
  };
  static std::uint32_t hashOf(std::string_view text) noexcept {
    const std::uint64_t hash = std::hash<std::string_view>()(text);
    return static_cast<std::uint32_t>(hash ^ hash >> 32U);
  }
  // Returns the slot of the text, or the free slot where it belongs. At least one slot is always
  // free.
  std::size_t slotOf(std::string_view text, std::uint32_t hash) const noexcept;

  std::vector<Slot> slots_; // their number is a power of two
  std::vector<Item> items_;
};

} // namespace skillhost
