// SPDX-License-Identifier: Apache-2.0
// Cuts front matter where its top-level keys begin, without understanding what stands there: the
// first step of reading what YAML refuses.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace skillhost {

struct FrontMatterEntry {
  std::string_view key;   // empty: the lines before the first key
  std::string_view text;  // all its lines, with their breaks
  std::string_view first; // what follows the colon on the line of the key, without spaces around it
  std::string_view rest;  // the lines below that one
  std::size_t line = 0;   // within the front matter, from 0
};

// A quoted value over several lines is not cut. Views into `yaml`. Nothing for more than 1,000
// lines, which nobody wrote by hand.
std::optional<std::vector<FrontMatterEntry>> cutEntries(std::string_view yaml);

// The line at the beginning of `text`, its break included.
std::string_view firstLine(std::string_view text) noexcept;
// The length of `key:` at the beginning of a line, 0 when it begins with something else.
std::size_t keyLength(std::string_view line) noexcept;

} // namespace skillhost
