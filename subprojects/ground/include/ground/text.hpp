// SPDX-License-Identifier: Apache-2.0
// Trims and lowers text. Each name says which characters count as blanks.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace skillhost {

// Removes any of `blanks` from both ends.
inline std::string_view trimmedOf(std::string_view text, std::string_view blanks) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}
// Removes spaces and tabs, the blanks that HTTP allows around the parts of a field.
inline std::string_view trimmedSpacesAndTabs(std::string_view text) noexcept {
  return trimmedOf(text, " \t");
}
// Also removes the carriage return before the end of a file's line.
inline std::string_view trimmedLine(std::string_view text) noexcept {
  return trimmedOf(text, " \t\r");
}
// Also removes line ends.
inline std::string_view trimmedAsciiSpace(std::string_view text) noexcept {
  return trimmedOf(text, " \t\r\n");
}

// Lowers only the letters A to Z, whatever the locale.
constexpr char asciiLowered(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string asciiLowered(std::string_view text) {
  std::string lower(text);
  for (char &c : lower) c = asciiLowered(c);
  return lower;
}

} // namespace skillhost
