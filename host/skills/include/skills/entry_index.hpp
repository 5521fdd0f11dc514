// SPDX-License-Identifier: Apache-2.0
// Finds the entries of a catalogue by one of their texts. The texts stay where they are and must
// outlive the index. It uses two pieces of memory, not one for each text, because a catalogue of
// very many entries is made again after each change.
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

  // Holds at most `most` texts, which must be fewer than 2^31.
  explicit EntryIndex(std::size_t most = 0);

  // Adds a text. Returns the number of its item, and true if it is new; otherwise its entry stays
  // the same. The numbers begin with 0. Throws std::length_error for more texts than announced.
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
