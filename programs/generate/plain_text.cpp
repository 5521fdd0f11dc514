// SPDX-License-Identifier: Apache-2.0
#include "plain_text.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace skillhost {
namespace {

struct Range {
  std::uint32_t first, last;
};
constexpr std::array hidden{
    Range{0x00, 0x08},       Range{0x0B, 0x1F},     Range{0x7F, 0x9F},     Range{0xAD, 0xAD},
    Range{0x061C, 0x061C},   Range{0x115F, 0x1160}, Range{0x17B4, 0x17B5}, Range{0x180B, 0x180F},
    Range{0x200B, 0x200F},   Range{0x2028, 0x202E}, Range{0x2060, 0x206F}, Range{0x3164, 0x3164},
    Range{0xFE00, 0xFE0F},   Range{0xFEFF, 0xFEFF}, Range{0xFFA0, 0xFFA0}, Range{0xFFF0, 0xFFFB},
    Range{0xE0000, 0xE0FFF},
};

// The selector that makes an emoji coloured (U+FE0F) carries no meaning, so it is dropped.
constexpr std::uint32_t emojiVariation = 0xFE0F;

std::string written(std::uint32_t character) {
  std::array<char, 16> text{};
  const int length = std::snprintf(text.data(), text.size(), "[U+%04X]", character);
  return {text.data(), static_cast<std::size_t>(length)};
}

} // namespace

bool isHidden(std::uint32_t character) noexcept {
  return std::any_of(hidden.begin(), hidden.end(), [character](const Range &range) {
    return character >= range.first && character <= range.last;
  });
}

std::string visibleText(std::string_view words, std::size_t maxBytes) {
  const std::string_view shortened = cutUtf8(words, maxBytes);
  std::string text;
  const std::string mended = mendUtf8(shortened);
  eachCharacter(mended, [&](std::uint32_t character, std::string_view bytes) {
    if (character == '\r' || character == emojiVariation) return;
    if (isHidden(character))
      text += written(character);
    else
      text += bytes;
  });
  if (shortened.size() < words.size())
    text += "… (" + std::to_string(words.size() - shortened.size()) + " more bytes are left out)";
  return text;
}

std::string visibleLine(std::string_view words, std::size_t maxBytes) {
  // Blanks are removed, so read some more bytes, but not megabytes of a stranger's blanks.
  const std::string text = visibleText(words.substr(0, 4 * maxBytes), 4 * maxBytes);
  std::string line;
  for (const char byte : text) {
    const bool blank = byte == ' ' || byte == '\t' || byte == '\n';
    if (!blank)
      line += byte;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  if (line.size() <= maxBytes && words.size() <= 4 * maxBytes) return line;
  return std::string(cutUtf8(line, maxBytes)) + "…";
}

std::string firstSentences(std::string_view words, std::size_t maxBytes) {
  // A first sentence may be cut; further ones are taken whole or not at all.
  std::string line = visibleLine(words, 2 * maxBytes);
  std::size_t end = 0;
  for (std::size_t dot = line.find(". "); dot != std::string::npos && dot < maxBytes;
       dot = line.find(". ", dot + 1))
    end = dot + 1;
  if (line.size() <= maxBytes) return line;
  return end != 0 ? line.substr(0, end) : std::string(cutUtf8(line, maxBytes)) + "…";
}

} // namespace skillhost
