// SPDX-License-Identifier: Apache-2.0
#include "ground/json_text.hpp"

#include "ground/utf8.hpp"

#include <array>
#include <cstdint>

namespace skillhost {
namespace {

constexpr std::array<bool, 256> plainTable() {
  std::array<bool, 256> plain{};
  for (unsigned c = 0x20; c < 256; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}
constexpr std::array<bool, 256> plain = plainTable();

void appendEscape(std::string &out, unsigned char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (c) {
  case '"':
    out += "\\\"";
    break;
  case '\\':
    out += "\\\\";
    break;
  case '\n':
    out += "\\n";
    break;
  case '\r':
    out += "\\r";
    break;
  case '\t':
    out += "\\t";
    break;
  default:
    out += "\\u00";
    out += digits[c >> 4];
    out += digits[c & 15];
  }
}

} // namespace

void appendJsonString(std::string &out, std::string_view text) {
  const std::string mended = isUtf8(text) ? std::string{} : mendUtf8(text);
  if (!mended.empty()) text = mended;
  out.reserve(out.size() + text.size() + text.size() / 16 + 2);
  out += '"';
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (plain[c]) [[likely]]
      continue;
    out.append(text, begin, i - begin);
    appendEscape(out, c);
    begin = i + 1;
  }
  out.append(text, begin);
  out += '"';
}

} // namespace skillhost
