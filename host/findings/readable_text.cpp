// SPDX-License-Identifier: Apache-2.0
#include "findings/inspect_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t sniffed = 8192; // bytes among which a text has no NUL

void appendUtf8(std::string &out, char32_t c) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0U | (c >> 6U));
    byte(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    byte(0xE0U | (c >> 12U));
    byte(0x80U | ((c >> 6U) & 0x3FU));
    byte(0x80U | (c & 0x3FU));
  } else {
    byte(0xF0U | (c >> 18U));
    byte(0x80U | ((c >> 12U) & 0x3FU));
    byte(0x80U | ((c >> 6U) & 0x3FU));
    byte(0x80U | (c & 0x3FU));
  }
}

std::string fromUtf16(std::string_view bytes, bool bigEndian) {
  const auto unit = [&](std::size_t at) -> char32_t {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return bigEndian ? static_cast<char32_t>(first << 8U | second)
                     : static_cast<char32_t>(second << 8U | first);
  };
  std::string out;
  out.reserve(bytes.size() / 2);
  for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
    char32_t c = unit(at);
    if (c >= 0xD800 && c < 0xDC00 && at + 3 < bytes.size()) {
      const char32_t low = unit(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10U) + (low - 0xDC00);
        at += 2;
      }
    }
    appendUtf8(out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
  }
  return out;
}

} // namespace

std::string readableText(std::string bytes, std::string_view file) {
  if (bytes.starts_with("\xFF\xFE")) return fromUtf16(bytes, false);
  if (bytes.starts_with("\xFE\xFF")) return fromUtf16(bytes, true);
  const bool text = namesText(file) || bytes.starts_with("#!");
  if (!text && bytes.find('\0') < sniffed) return {};
  return bytes;
}

} // namespace skillhost
