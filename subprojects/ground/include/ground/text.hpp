// SPDX-License-Identifier: Apache-2.0
// Trims and lowers text. Each name says which characters count as blanks.
#pragma once

#include <algorithm>
#include <initializer_list>
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
// Appends the pieces. A literal among them is not searched for its end, as by append() and +=.
inline void appendPieces(std::string &to, std::initializer_list<std::string_view> pieces) {
  for (const std::string_view piece : pieces) to.append(piece);
}

// Compares without regard to the case of ASCII letters.
inline bool sameText(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return asciiLowered(x) == asciiLowered(y); });
}

} // namespace skillhost
