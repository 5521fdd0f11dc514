// SPDX-License-Identifier: Apache-2.0
#include "characters.hpp"

#include <algorithm>
#include <array>

namespace skillhost::keyword::beyond_ascii {
namespace {

struct Range {
  char32_t first, last;
};

// Separators above U+007F, sorted. A character that is in neither table is a letter.
constexpr std::array separators{
    Range{0x80, 0xA9},     Range{0xAB, 0xB4},       Range{0xB6, 0xB9},       Range{0xBB, 0xBF},
    Range{0xD7, 0xD7},     Range{0xF7, 0xF7},       Range{0x2000, 0x206F},   Range{0x20A0, 0x20CF},
    Range{0x2100, 0x214F}, Range{0x2190, 0x2BFF},   Range{0x2E00, 0x2E7F},   Range{0x3000, 0x3004},
    Range{0x3008, 0x3030}, Range{0x30FB, 0x30FB},   Range{0xE000, 0xF8FF},   Range{0xFE00, 0xFE6F},
    Range{0xFF00, 0xFF0F}, Range{0xFF1A, 0xFF20},   Range{0xFF3B, 0xFF40},   Range{0xFF5B, 0xFF65},
    Range{0xFFF0, 0xFFFF}, Range{0x1F000, 0x1FAFF}, Range{0xE0000, 0x10FFFF}};
constexpr std::array ideographs{
    Range{0x0E00, 0x0EFF}, Range{0x1000, 0x109F}, Range{0x1780, 0x17FF}, Range{0x3005, 0x3007},
    Range{0x3031, 0x30FF}, Range{0x3100, 0x312F}, Range{0x3400, 0x4DBF}, Range{0x4E00, 0x9FFF},
    Range{0xAC00, 0xD7A3}, Range{0xF900, 0xFAFF}, Range{0xFF66, 0xFF9F}, Range{0x20000, 0x3FFFF}};

template <std::size_t Count>
bool within(const std::array<Range, Count> &ranges, char32_t code) noexcept {
  const auto found =
      std::upper_bound(ranges.begin(), ranges.end(), code,
                       [](char32_t c, const Range &range) { return c < range.first; });
  return found != ranges.begin() && code <= std::prev(found)->last;
}

constexpr bool between(char32_t code, char32_t first, char32_t last) noexcept {
  return code >= first && code <= last;
}
constexpr char32_t evenToOdd(char32_t code) noexcept { return code | 1U; }
constexpr char32_t oddToEven(char32_t code) noexcept { return (code & 1U) != 0 ? code + 1 : code; }

char32_t lowerLatin(char32_t code) noexcept {
  if (between(code, 0xC0, 0xDE)) return code == 0xD7 ? code : code + 32;
  if (code == 0x130) return U'i';
  if (code == 0x178) return 0xFF;
  if (between(code, 0x100, 0x137) || between(code, 0x14A, 0x177)) return evenToOdd(code);
  if (between(code, 0x139, 0x148) || between(code, 0x179, 0x17E)) return oddToEven(code);
  if (between(code, 0x1E00, 0x1E95) || between(code, 0x1EA0, 0x1EFF)) return evenToOdd(code);
  if (between(code, 0xFF21, 0xFF3A)) return code + 32;
  return code;
}

char32_t lowerGreekOrCyrillic(char32_t code) noexcept {
  if (code == 0x386) return 0x3AC;
  if (between(code, 0x388, 0x38A)) return code + 37;
  if (code == 0x38C) return 0x3CC;
  if (between(code, 0x38E, 0x38F)) return code + 63;
  if (between(code, 0x391, 0x3AB)) return code == 0x3A2 ? code : code + 32;
  if (between(code, 0x400, 0x40F)) return code + 80;
  if (between(code, 0x410, 0x42F)) return code + 32;
  if (between(code, 0x460, 0x481) || between(code, 0x48A, 0x4BF) || between(code, 0x4D0, 0x52F))
    return evenToOdd(code);
  if (between(code, 0x531, 0x556)) return code + 48; // Armenian
  return code;
}

} // namespace

Character characterAt(std::string_view text, std::size_t at) noexcept {
  constexpr Character broken{0xFFFD, 1};
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - at < size) return broken;
  char32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0U) != 0x80U) return broken;
    code = (code << 6U) | (byte & 0x3FU);
  }
  return {code, size};
}

char32_t lowerCase(char32_t code) noexcept {
  return between(code, 0x386, 0x556) ? lowerGreekOrCyrillic(code) : lowerLatin(code);
}

CharacterKind kindOf(char32_t code) noexcept {
  if (within(separators, code)) return CharacterKind::Separator;
  return within(ideographs, code) ? CharacterKind::Ideograph : CharacterKind::Letter;
}

void append(std::string &out, char32_t code) {
  const auto add = [&out](char32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { add(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x800) {
    add(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    add(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    add(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

} // namespace skillhost::keyword::beyond_ascii
