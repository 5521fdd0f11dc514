// SPDX-License-Identifier: Apache-2.0
#include "settings/members.hpp"

#include "ground/text.hpp"

#include <cctype>

namespace skillhost::settings {

std::string sectionHint(std::string_view name, std::span<const std::string_view> keys) {
  const auto folded = [](std::string_view text) {
    std::string out;
    for (const char c : text)
      if (c != '_' && c != '-' && c != '.') out += asciiLowered(c);
    return out;
  };
  const std::string wanted = folded(name);
  std::string_view same, only;
  bool isOnly = true;
  for (const std::string_view key : keys) {
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos) continue;
    if (folded(key) == wanted) same = key;
    if (folded(key.substr(dot + 1)) != wanted) continue;
    isOnly = isOnly && only.empty();
    only = key;
  }
  if (same.empty() && isOnly) same = only;
  if (same.empty()) return {};
  const std::size_t dot = same.find('.');
  return " - did you mean " + std::string(same.substr(dot + 1)) + " in the section " +
         std::string(same.substr(0, dot)) + "?";
}

std::string variableFor(std::string_view key) {
  std::string variable = "SKILLHOST_";
  for (const char c : key)
    variable += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

} // namespace skillhost::settings
