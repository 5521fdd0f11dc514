// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace skillhost::paths {
namespace {

// Returns the size of the valid, printable UTF-8 character at `at`; 0 if there is none.
std::size_t printableSize(std::string_view text, std::size_t at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return lead < 0x20 || lead == 0x7F ? 0 : 1;
  const std::size_t size = lead < 0xC2   ? 0
                           : lead < 0xE0 ? 2
                           : lead < 0xF0 ? 3
                           : lead < 0xF5 ? 4
                                         : 0;
  if (size == 0 || text.size() - at < size) return 0;
  std::uint32_t point = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0U) != 0x80U) return 0;
    point = (point << 6U) | (byte & 0x3FU);
  }
  // Characters below 0xA0 are controls.
  const std::uint32_t minimum = size == 2 ? 0xA0 : size == 3 ? 0x800 : 0x10000;
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point < minimum || surrogate || point > 0x10FFFF ? 0 : size;
}

} // namespace

bool servable(std::string_view name) noexcept {
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t size = name[at] == '\\' ? 0 : printableSize(name, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

bool servableBelow(std::string_view path) {
  const std::string framed = '/' + std::string(path) + '/';
  return servable(path) && framed.find("//") == framed.npos && framed.find("/./") == framed.npos &&
         framed.find("/../") == framed.npos;
}

std::string printable(std::string_view name) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t size = printableSize(name, at);
    if (size == 0) {
      const auto byte = static_cast<unsigned char>(name[at]);
      text.append({'\\', 'x', digits[byte >> 4U], digits[byte & 15U]});
    } else {
      text.append(name, at, size);
    }
    at += std::max<std::size_t>(size, 1);
  }
  return text;
}

bool namesEntry(std::string_view name) noexcept {
  constexpr std::string_view entry = "skill.md";
  return std::equal(name.begin(), name.end(), entry.begin(), entry.end(),
                    [](char a, char b) { return asciiLowered(a) == b; });
}

std::string joined(std::string_view folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path = folder;
  if (!path.empty()) path += '/';
  return path += name;
}

} // namespace skillhost::paths
