// SPDX-License-Identifier: Apache-2.0
#include "normalised_text.hpp"

#include "skillmd/characters.hpp"

#include "skillmd/hidden_characters.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

// Returns true for soft hyphens, zero-width and direction characters, invisible operators,
// variation selectors and tags.
bool isInvisible(char32_t c) noexcept {
  return c == 0x00AD || c == 0x034F || c == 0x061C || c == 0x180E || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE0FFF);
}
bool blank(char32_t c) noexcept {
  return c == 0x00A0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}
// Returns true for blocks with copies of letters: full-width, mathematical, small capitals,
// circled.
bool mayBeFolded(char32_t c) noexcept {
  return (c >= 0xFF01 && c <= 0xFFEF) || (c >= 0x1D400 && c <= 0x1D7FF) ||
         (c >= 0x2100 && c <= 0x214F) || (c >= 0x2160 && c <= 0x217F) ||
         (c >= 0x2460 && c <= 0x24FF) || (c >= 0x1F100 && c <= 0x1F189);
}

bool wordByte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Normaliser {
public:
  explicit Normaliser(std::string_view original) : in_(original) { out_.text.reserve(in_.size()); }

  NormalisedText run() {
    out_.anchors.push_back({0, 0});
    std::size_t copied = 0; // the original up to here is copied or left out
    while (at_ < in_.size()) {
      const std::size_t start = at_;
      if (!special(in_[start]) || !change()) {
        if (at_ == start) ++at_;
        continue;
      }
      out_.text.append(in_.substr(copied, start - copied)).append(instead_);
      copied = at_;
      out_.anchors.push_back({out_.text.size(), at_});
    }
    out_.text.append(in_.substr(copied));
    return std::move(out_);
  }

private:
  static bool special(char c) noexcept {
    static constexpr auto table = [] {
      std::array<bool, 256> all{};
      for (std::size_t i = 0x80; i < 256; ++i) all[i] = true;
      for (const char one : {'\\', '`', '^', '|', '"', '\'', '$'})
        all[static_cast<unsigned char>(one)] = true;
      return all;
    }();
    return table[static_cast<unsigned char>(c)];
  }
  char byte(std::size_t at) const noexcept { return at < in_.size() ? in_[at] : '\0'; }
  // Returns the position behind a line break at `at`; npos: there is none.
  std::size_t pastBreak(std::size_t at) const noexcept {
    if (byte(at) == '\r') ++at;
    return byte(at) == '\n' ? at + 1 : npos;
  }

  // Returns true if `instead_` replaces the text here; at_ is then behind it.
  bool change() {
    const char c = in_[at_];
    instead_ = {};
    if (static_cast<unsigned char>(c) >= 0x80) return character();
    if (c == '\\') return continued(true);
    if (c == '`' || c == '^')
      return at_ != 0 && (in_[at_ - 1] == ' ' || in_[at_ - 1] == '\t') && continued(false);
    if (c == '|') return pipeAtEnd();
    if (c == '$') return separator();
    return skipQuoteJoin(c);
  }

  // Joins a continued line. A fence is not part of a command, so it ends the continuation.
  bool continued(bool glued) {
    const std::size_t next = pastBreak(at_ + 1);
    if (next == npos || in_.substr(next, 3) == "```" || in_.substr(next, 3) == "~~~") return false;
    if (!glued) instead_ = " ";
    at_ = next;
    return true;
  }

  // Joins a pipe at the end of a line with the next line, unless it ends a row of a table.
  bool pipeAtEnd() {
    std::size_t end = at_ + 1;
    while (byte(end) == ' ' || byte(end) == '\t') ++end;
    const std::size_t next = pastBreak(end);
    if (next == npos || at_ == 0) return false;
    const std::size_t before = in_.rfind('\n', at_ - 1);
    std::size_t start = before == npos ? 0 : before + 1;
    // A very long line must not be read again for each of its pipes.
    if (at_ - start > 4096) return false;
    while (byte(start) == ' ' || byte(start) == '\t' || byte(start) == '>') ++start;
    if (byte(start) == '|' || in_.substr(next, 3) == "```") return false;
    instead_ = "| ";
    at_ = next;
    return true;
  }

  bool separator() {
    for (const std::string_view written : {"${IFS}", "$IFS$9", "$IFS"})
      if (in_.substr(at_, written.size()) == written) {
        instead_ = " ";
        at_ += written.size();
        return true;
      }
    return false;
  }

  // Removes "" or '' within a word, and "+" between two quoted parts.
  bool skipQuoteJoin(char quote) {
    if (byte(at_ + 1) == quote && at_ != 0 && wordByte(in_[at_ - 1]) && wordByte(byte(at_ + 2))) {
      at_ += 2;
      return true;
    }
    std::size_t at = at_ + 1;
    const auto skipBlanks = [&] {
      for (int left = 8; left > 0 && byte(at) == ' '; --left) ++at;
    };
    skipBlanks();
    if (byte(at) != '+') return false;
    ++at;
    skipBlanks();
    if (byte(at) != quote) return false;
    at_ = at + 1;
    return true;
  }

  bool character() {
    utf8proc_int32_t code = 0;
    const auto *const bytes = reinterpret_cast<const utf8proc_uint8_t *>(in_.data() + at_);
    const utf8proc_ssize_t length = utf8proc_iterate(
        bytes, static_cast<utf8proc_ssize_t>(std::min<std::size_t>(in_.size() - at_, 4)), &code);
    if (length <= 0) return false;
    const auto c = static_cast<char32_t>(code);
    at_ += static_cast<std::size_t>(length);
    if (isInvisible(c)) return true;
    char folded = blank(c) ? ' ' : looksLike(c);
    if (folded == 0 && mayBeFolded(c)) {
      std::array<utf8proc_int32_t, 8> parts{};
      int boundary = 0;
      const utf8proc_ssize_t count = utf8proc_decompose_char(
          code, parts.data(), parts.size(),
          static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT), &boundary);
      if (count == 1 && parts[0] < 0x80) folded = static_cast<char>(parts[0]);
    }
    if (folded == 0) return false;
    letter_ = folded;
    instead_ = {&letter_, 1};
    return true;
  }

  std::string_view in_;
  std::size_t at_ = 0;
  std::string_view instead_;
  char letter_ = 0; // storage for instead_
  NormalisedText out_;
};

} // namespace

std::size_t NormalisedText::originalOf(std::size_t at) const noexcept {
  const auto after =
      std::upper_bound(anchors.begin(), anchors.end(), at,
                       [](std::size_t wanted, const Anchor &anchor) { return wanted < anchor.at; });
  if (after == anchors.begin()) return at;
  const Anchor &anchor = *std::prev(after);
  return anchor.original + (at - anchor.at);
}

NormalisedText normalise(std::string_view original) { return Normaliser(original).run(); }

} // namespace skillhost
