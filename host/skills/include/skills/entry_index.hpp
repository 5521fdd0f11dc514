// SPDX-License-Identifier: Apache-2.0
// Finds the entries of a catalogue by a text of theirs. The texts stay where they are and must
// outlive the index. In two pieces of memory and not in one for each: a catalogue of very many
// entries is made anew after each change.
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

  // For so many texts at most; fewer than 2^31.
  explicit EntryIndex(std::size_t most = 0);

  // The number of the text's item, and whether it is new: else its entry stays the one it was.
  // Numbers are given from 0 on. Throws std::length_error when there are more than were announced.
  std::pair<std::uint32_t, bool> emplace(std::string_view text, const CatalogueEntry *entry);
  Item &operator[](std::uint32_t item) noexcept { return items_[item]; }
  // Null when no entry has it.
  const CatalogueEntry *find(std::string_view text) const noexcept;

private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t item = 0; // its number and 1; 0: none
  };
  static std::uint32_t hashOf(std::string_view text) noexcept {
    const std::uint64_t hash = std::hash<std::string_view>()(text);
    return static_cast<std::uint32_t>(hash ^ hash >> 32U);
  }
  // That of the text, or the free one where it belongs. At least one is always free.
  std::size_t slotOf(std::string_view text, std::uint32_t hash) const noexcept;

  std::vector<Slot> slots_; // a power of two
  std::vector<Item> items_;
};

} // namespace skillhost
