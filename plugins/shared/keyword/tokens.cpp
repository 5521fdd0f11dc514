// SPDX-License-Identifier: Apache-2.0
#include "tokens.hpp"

#include "characters.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::keyword {
namespace {

constexpr std::size_t longestToken = 64;
constexpr std::size_t longestWhole = 40;

class Tokeniser {
public:
  Tokeniser(std::string_view text, const std::function<void(const Token &)> &take)
      : text_(text), take_(take) {}

  void run() {
    while (at_ < text_.size()) {
      switch (kindHere()) {
      case CharacterKind::Separator:
        at_ += characterAt(text_, at_).size;
        break;
      case CharacterKind::Ideograph:
        ideographs();
        break;
      case CharacterKind::Letter:
      case CharacterKind::Digit:
        identifier();
        break;
      }
    }
  }

private:
  CharacterKind kindHere() const noexcept { return kindOf(characterAt(text_, at_).code); }
  static bool joins(char c) noexcept { return c == '_' || c == '-'; }
  static bool isWord(CharacterKind kind) noexcept {
    return kind == CharacterKind::Letter || kind == CharacterKind::Digit;
  }
  bool wordAt(std::size_t at) const noexcept {
    return at < text_.size() && isWord(kindOf(characterAt(text_, at).code));
  }

  void give(std::string_view text, std::size_t begin, std::size_t end, TokenKind kind) const {
    if (text.size() > longestToken) return;
    take_({text, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), kind});
  }

  void identifier() {
    const std::size_t begin = at_;
    lower_.clear();
    parts_.clear();
    while (wordAt(at_)) {
      part();
      if (at_ < text_.size() && joins(text_[at_]) && wordAt(at_ + 1)) ++at_;
    }
    const std::string_view whole = lower_;
    const bool isMore = parts_.size() > 1 || parts_.front().lowerEnd < whole.size();
    if (isMore && whole.size() <= longestWhole) give(whole, begin, at_, TokenKind::Whole);
    for (const Part &one : parts_)
      give(whole.substr(one.lowerBegin, one.lowerEnd - one.lowerBegin), one.begin, one.end,
           TokenKind::Word);
  }

  // Reads one part of an identifier, which ends before a change of case or kind.
  void part() {
    const std::size_t begin = at_;
    const std::size_t lowerBegin = lower_.size();
    bool isPlural = false;
    bool previousUpper = false;
    CharacterKind previous = CharacterKind::Separator;
    while (at_ < text_.size()) {
      if (previous == CharacterKind::Letter && !previousUpper) lowerLetters();
      if (at_ == text_.size()) break;
      const Character here = characterAt(text_, at_);
      const CharacterKind kind = kindOf(here.code);
      if (!isWord(kind)) break;
      const char32_t low = lowerCase(here.code);
      const bool upper = low != here.code;
      if (at_ > begin) {
        if (kind != previous) break;
        if (upper && !previousUpper && kind == CharacterKind::Letter) break; // camelCase
        if (upper && previousUpper && lowerFollows(at_ + here.size)) {       // HTTPServer, or PDFs
          isPlural = pluralFollows(at_ + here.size);
          if (!isPlural) break;
        }
      }
      appendCharacter(lower_, low);
      previousUpper = upper;
      previous = kind;
      at_ += here.size;
    }
    parts_.push_back({begin, at_, lowerBegin, lower_.size() - (isPlural ? 1 : 0)});
  }

  // Reads a run of the letters a to z at once, since most of a text consists of them.
  void lowerLetters() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= 'a' && text_[at_] <= 'z') ++at_;
    lower_.append(text_, begin, at_ - begin);
  }

  bool lowerFollows(std::size_t at) const noexcept {
    if (!wordAt(at)) return false;
    const char32_t code = characterAt(text_, at).code;
    return kindOf(code) == CharacterKind::Letter && lowerCase(code) == code;
  }

  // Says whether an s follows at `at` that ends the letters.
  bool pluralFollows(std::size_t at) const noexcept {
    return text_[at] == 's' &&
           (!wordAt(at + 1) || kindOf(characterAt(text_, at + 1).code) == CharacterKind::Digit);
  }

  void ideographs() {
    std::size_t previous = at_; // begin of the character before; its own for the first
    const std::size_t begin = at_;
    while (at_ < text_.size() && kindHere() == CharacterKind::Ideograph) {
      const std::size_t end = at_ + characterAt(text_, at_).size;
      const bool alone = at_ == begin && !ideographAt(end);
      if (previous < at_)
        give(text_.substr(previous, end - previous), previous, end, TokenKind::Pair);
      give(text_.substr(at_, end - at_), at_, end, alone ? TokenKind::Single : TokenKind::Inner);
      previous = at_;
      at_ = end;
    }
  }
  bool ideographAt(std::size_t at) const noexcept {
    return at < text_.size() && kindOf(characterAt(text_, at).code) == CharacterKind::Ideograph;
  }

  std::string_view text_;
  const std::function<void(const Token &)> &take_;
  std::size_t at_ = 0;
  struct Part {
    std::size_t begin, end;           // positions in text_
    std::size_t lowerBegin, lowerEnd; // positions in lower_, without a plural's s
  };
  // The parts of the identifier that is being read.
  std::vector<Part> parts_;
  std::string lower_; // their text in lower case, without separators
};

} // namespace

void forEachToken(std::string_view text, const std::function<void(const Token &)> &take) {
  Tokeniser(text, take).run();
}

} // namespace skillhost::keyword
