// SPDX-License-Identifier: Apache-2.0
#include "ground/percent.hpp"

#include "ground/hexadecimal.hpp"

namespace skillhost {
namespace {

// Returns true if two digits follow every percent sign.
bool decodePercentsInto(std::string &decoded, std::string_view text) {
  bool isWhole = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const int high = at + 2 < text.size() ? hexadecimalDigit(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? hexadecimalDigit(text[at + 2]) : -1;
    const bool isEncoded = text[at] == '%' && high >= 0 && low >= 0;
    if (text[at] == '%' && !isEncoded) isWhole = false;
    decoded += isEncoded ? static_cast<char>(high * 16 + low) : text[at];
    if (isEncoded) at += 2;
  }
  return isWhole;
}

} // namespace

std::string decodePercents(std::string_view text) {
  std::string decoded;
  decodePercentsInto(decoded, text);
  return decoded;
}

std::optional<std::string> decodeStrictPercents(std::string_view text) {
  std::string decoded;
  if (!decodePercentsInto(decoded, text)) return std::nullopt;
  return decoded;
}

} // namespace skillhost
