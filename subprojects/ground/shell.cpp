// SPDX-License-Identifier: Apache-2.0
#include "ground/shell.hpp"

#include <algorithm>

namespace skillhost {

std::string shellQuoted(std::string_view text) {
  const bool harmless = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+:@%,=").find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  if (harmless) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out + "'";
}

} // namespace skillhost
