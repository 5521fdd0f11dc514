// SPDX-License-Identifier: Apache-2.0
// Cuts front matter at its top-level keys without interpreting the values. This is the first step
// of reading front matter that YAML refuses.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace skillhost {

struct FrontMatterEntry {
  std::string_view key;   // empty: the lines before the first key
  std::string_view text;  // all its lines with their breaks
  std::string_view first; // the rest of the key's line, trimmed
  std::string_view rest;  // the lines below
  std::size_t line = 0;   // within the front matter, from 0
};

// Returns views into `yaml`. A quoted value over several lines is not cut. Returns nothing for more
// than 1,000 lines, because nobody writes so many by hand.
std::optional<std::vector<FrontMatterEntry>> cutEntries(std::string_view yaml);

// Returns the first line of `text` with its break.
std::string_view firstLine(std::string_view text) noexcept;
// Returns the length of `key:` at the start of a line; 0 if the line begins otherwise.
std::size_t keyLength(std::string_view line) noexcept;

} // namespace skillhost
