// SPDX-License-Identifier: Apache-2.0
#include "skillmd/hidden_characters.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost {
namespace {

// Sorted by the code point.
constexpr std::array<std::pair<char32_t, char>, 64> lookAlikes{{
    {0x0131, 'i'}, {0x0251, 'a'}, {0x0261, 'g'}, {0x0391, 'A'}, {0x0392, 'B'}, {0x0395, 'E'},
    {0x0396, 'Z'}, {0x0397, 'H'}, {0x0399, 'I'}, {0x039A, 'K'}, {0x039C, 'M'}, {0x039D, 'N'},
    {0x039F, 'O'}, {0x03A1, 'P'}, {0x03A4, 'T'}, {0x03A5, 'Y'}, {0x03A7, 'X'}, {0x03B1, 'a'},
    {0x03B9, 'i'}, {0x03BD, 'v'}, {0x03BF, 'o'}, {0x03C1, 'p'}, {0x03C5, 'u'}, {0x0405, 'S'},
    {0x0406, 'I'}, {0x0408, 'J'}, {0x0410, 'A'}, {0x0412, 'B'}, {0x0415, 'E'}, {0x041A, 'K'},
    {0x041C, 'M'}, {0x041D, 'H'}, {0x041E, 'O'}, {0x0420, 'P'}, {0x0421, 'C'}, {0x0422, 'T'},
    {0x0423, 'Y'}, {0x0425, 'X'}, {0x0430, 'a'}, {0x0435, 'e'}, {0x043A, 'k'}, {0x043C, 'm'},
    {0x043E, 'o'}, {0x0440, 'p'}, {0x0441, 'c'}, {0x0442, 't'}, {0x0443, 'y'}, {0x0445, 'x'},
    {0x0455, 's'}, {0x0456, 'i'}, {0x0458, 'j'}, {0x04BB, 'h'}, {0x04C0, 'I'}, {0x04CF, 'l'},
    {0x0501, 'd'}, {0x051B, 'q'}, {0x051D, 'w'}, {0x0585, 'o'}, {0x13A0, 'D'}, {0x13A1, 'R'},
    {0x13A2, 'T'}, {0x13AA, 'A'}, {0x13B3, 'W'}, {0x13DA, 'S'},
}};

constexpr std::string_view zeroWidth = "hidden.zero-width", bidi = "hidden.bidi-controls",
                           tags = "hidden.tag-characters", lookAlike = "hidden.look-alike-letters",
                           terminal = "hidden.terminal-escapes";

bool latinLetter(unsigned char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class HiddenSearch {
public:
  HiddenSearch(std::string_view text, const NoticeHidden &notice) : text_(text), notice_(notice) {}

  void run() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const unsigned char c = byte(at);
      if (c < 0x80) {
        if (c == 0x1B && (byte(at + 1) == '[' || byte(at + 1) == ']'))
          notice_(terminal, Severity::Warning, at);
        continue;
      }
      switch (c) {
      case 0xCE:
      case 0xCF:
      case 0xD0:
      case 0xD1:
        lookAlikeAt(at);
        break;
      case 0xCD: // the grapheme joiner, U+034F
        if (byte(at + 1) == 0x8F && isAmongAscii(at, 2)) noWidth(at, 2);
        break;
      case 0xE1:
      case 0xE3:
        if (isFillerAt(at) && isAmongAscii(at, 3)) noWidth(at);
        break;
      case 0xE2:
        punctuationAt(at);
        break;
      case 0xEF:
        if (at != 0 && text_.substr(at, 3) == "\xEF\xBB\xBF") noWidth(at);
        if (isFillerAt(at) && isAmongAscii(at, 3)) noWidth(at);
        at += selectorsAt(at);
        break;
      case 0xF0:
        if (const std::size_t flag = flagLength(at); flag != 0) at += flag - 1;
        break;
      case 0xF3:
        at += selectorLength(at) != 0 ? selectorsAt(at) : tagsAt(at);
        break;
      default:
        break;
      }
    }
  }

private:
  unsigned char byte(std::size_t at) const noexcept {
    return at < text_.size() ? static_cast<unsigned char>(text_[at]) : 0;
  }
  bool asciiAt(std::size_t at) const noexcept { return at >= text_.size() || byte(at) < 0x80; }
  bool isAmongAscii(std::size_t at, std::size_t length) const noexcept {
    return asciiAt(at + length) && (at == 0 || asciiAt(at - 1));
  }
  void noWidth(std::size_t at, std::size_t length = 3) const {
    const bool within = at > 0 && latinLetter(byte(at - 1)) && latinLetter(byte(at + length));
    notice_(zeroWidth, within ? Severity::Warning : Severity::Advice, at);
  }

  // Returns true for the Hangul fillers U+115F, U+1160, U+3164 and U+FFA0, which belong beside
  // Hangul letters.
  bool isFillerAt(std::size_t at) const noexcept {
    const std::string_view three = text_.substr(at, 3);
    return three == "\xE1\x85\x9F" || three == "\xE1\x85\xA0" || three == "\xE3\x85\xA4" ||
           three == "\xEF\xBE\xA0";
  }

  // Returns the length of a variation selector, U+FE00 to U+FE0F or U+E0100 to U+E01EF; 0: there is
  // none.
  std::size_t selectorLength(std::size_t at) const noexcept {
    if (byte(at) == 0xEF && byte(at + 1) == 0xB8 && byte(at + 2) >= 0x80 && byte(at + 2) <= 0x8F)
      return 3;
    if (byte(at) != 0xF3 || byte(at + 1) != 0xA0) return 0;
    return byte(at + 2) >= 0x84 && byte(at + 2) <= 0x87 ? 4 : 0;
  }

  // One selector chooses a form of the character before it. A row of them chooses nothing, and can
  // hide any text. Returns the length of the row minus one.
  std::size_t selectorsAt(std::size_t at) const {
    std::size_t count = 0, bytes = 0;
    while (const std::size_t length = selectorLength(at + bytes)) {
      ++count;
      bytes += length;
    }
    if (count >= 2) notice_(zeroWidth, Severity::Warning, at);
    return bytes == 0 ? 0 : bytes - 1;
  }

  // Returns the length of an emoji that is a black flag with tag characters, or 0.
  std::size_t flagLength(std::size_t at) const noexcept {
    if (text_.substr(at, 4) != "\xF0\x9F\x8F\xB4") return 0;
    std::size_t end = at + 4;
    constexpr std::size_t maxTagBytes = 4 + 4 * 8;
    while (end - at <= maxTagBytes && end < text_.size() && text_.substr(end, 2) == "\xF3\xA0") {
      if (text_.substr(end, 4) == "\xF3\xA0\x81\xBF") return end + 4 - at;
      end += 4;
    }
    return 0;
  }

  // A few tag characters are left over from an editor; a long row of them is a hidden text. Returns
  // the length of the row minus one.
  std::size_t tagsAt(std::size_t at) const {
    std::size_t count = 0;
    while (byte(at + 4 * count) == 0xF3 && byte(at + 4 * count + 1) == 0xA0 &&
           (byte(at + 4 * count + 2) & 0xFEU) == 0x80)
      ++count;
    if (count == 0) return 0;
    notice_(tags, count >= 4 ? Severity::Error : Severity::Warning, at);
    return 4 * count - 1;
  }

  // Reports those characters from U+2000 to U+2064 that are invisible or change the direction of
  // text.
  void punctuationAt(std::size_t at) const {
    const unsigned char second = byte(at + 1);
    const unsigned char third = byte(at + 2);
    if (second == 0x80) {
      if (third >= 0xAA && third <= 0xAE) notice_(bidi, Severity::Warning, at);
      if (third == 0x8B) noWidth(at);
      // Joiners belong between letters of some scripts and in emoji, but not in ASCII.
      if ((third == 0x8C || third == 0x8D) && asciiAt(at + 3) && (at == 0 || asciiAt(at - 1)))
        noWidth(at);
    } else if (second == 0x81) {
      if (third >= 0xA6 && third <= 0xA9) notice_(bidi, Severity::Warning, at);
      if (third >= 0xA0 && third <= 0xA4) noWidth(at);
    }
  }

  // Among Greek letters, only those that formulas do not use are reported. The others stand beside
  // Latin letters everywhere.
  void lookAlikeAt(std::size_t at) {
    if (at < pastWord_) return;
    const unsigned char first = byte(at);
    const auto code = static_cast<char32_t>(((first & 0x1FU) << 6U) | (byte(at + 1) & 0x3FU));
    if (first <= 0xCF && code != 0x03BF && code != 0x039F && code != 0x03BD) return;
    std::size_t start = at;
    while (start > 0 && at - start < 64 && latinLetter(byte(start - 1))) --start;
    std::size_t end = at;
    std::size_t latin = at - start;
    while (end < text_.size() && end - at < 64) {
      const unsigned char c = byte(end);
      if (latinLetter(c)) {
        ++latin;
        ++end;
      } else if ((c == 0xD0 || c == 0xD1 || c == 0xCE || c == 0xCF) &&
                 looksLike(static_cast<char32_t>(((c & 0x1FU) << 6U) | (byte(end + 1) & 0x3FU))) !=
                     0) {
        end += 2;
      } else {
        break;
      }
    }
    pastWord_ = end;
    // If the next letter looks like no Latin one, the word is simply written in that script.
    if (end < text_.size() && (byte(end) == 0xD0 || byte(end) == 0xD1)) return;
    if (start > 1 && byte(start - 1) >= 0x80) return;
    if (latin >= 2 && end > at) notice_(lookAlike, Severity::Warning, at);
  }

  std::string_view text_;
  const NoticeHidden &notice_;
  std::size_t pastWord_ = 0; // end of the last checked word
};

} // namespace

char looksLike(char32_t letter) noexcept {
  const auto *const found =
      std::lower_bound(lookAlikes.begin(), lookAlikes.end(), letter,
                       [](const auto &pair, char32_t wanted) { return pair.first < wanted; });
  return found != lookAlikes.end() && found->first == letter ? found->second : '\0';
}

void findHiddenCharacters(std::string_view original, const NoticeHidden &notice) {
  HiddenSearch(original, notice).run();
}

} // namespace skillhost
