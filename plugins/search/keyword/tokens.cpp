// SPDX-License-Identifier: Apache-2.0
#include "tokens.hpp"

#include "characters.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace skillhost::keyword {
namespace {

constexpr std::size_t longestToken = 64;
constexpr std::size_t longestWhole = 40;

class Tokeniser {
public:
  explicit Tokeniser(std::string_view text) : text_(text) {}

  std::vector<Token> run() && {
    tokens_.reserve(text_.size() / 5);
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
    return std::move(tokens_);
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

  void add(std::string text, std::size_t begin, std::size_t end, TokenKind kind) {
    if (text.empty() || text.size() > longestToken) return;
    tokens_.push_back(Token{std::move(text), static_cast<std::uint32_t>(begin),
                            static_cast<std::uint32_t>(end), kind});
  }

  void identifier() {
    const std::size_t begin = at_;
    const std::size_t first = tokens_.size();
    std::string whole;
    std::size_t parts = 0;
    while (wordAt(at_)) {
      part(whole);
      ++parts;
      if (at_ < text_.size() && joins(text_[at_]) && wordAt(at_ + 1)) ++at_;
    }
    if (parts < 2 || whole.size() > longestWhole) return;
    add(std::move(whole), begin, at_, TokenKind::Whole);
    // The whole goes first, so that tokens are in order of where they begin.
    if (tokens_.size() > first + 1)
      std::rotate(tokens_.begin() + static_cast<std::ptrdiff_t>(first), tokens_.end() - 1,
                  tokens_.end());
  }

  // One part of an identifier, appended to `whole` too; ends before a change of case or kind.
  void part(std::string &whole) {
    const std::size_t begin = at_;
    std::string lower;
    bool previousUpper = false;
    CharacterKind previous = CharacterKind::Separator;
    while (at_ < text_.size()) {
      const Character here = characterAt(text_, at_);
      const CharacterKind kind = kindOf(here.code);
      if (!isWord(kind)) break;
      const char32_t low = lowerCase(here.code);
      const bool upper = low != here.code;
      if (at_ > begin) {
        if (kind != previous) break;
        if (upper && !previousUpper && kind == CharacterKind::Letter) break; // camelCase
        if (upper && previousUpper && lowerFollows(at_ + here.size)) break;  // HTTPServer
      }
      appendCharacter(lower, low);
      previousUpper = upper;
      previous = kind;
      at_ += here.size;
    }
    if (whole.size() <= longestWhole) whole += lower;
    add(std::move(lower), begin, at_, TokenKind::Word);
  }

  bool lowerFollows(std::size_t at) const noexcept {
    if (!wordAt(at)) return false;
    const char32_t code = characterAt(text_, at).code;
    return kindOf(code) == CharacterKind::Letter && lowerCase(code) == code;
  }

  void ideographs() {
    std::string previous;
    std::size_t previousBegin = at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && kindHere() == CharacterKind::Ideograph) {
      const std::size_t size = characterAt(text_, at_).size;
      const std::string here(text_.substr(at_, size));
      const bool alone = at_ == begin && !ideographAt(at_ + size);
      if (!previous.empty()) add(previous + here, previousBegin, at_ + size, TokenKind::Pair);
      add(here, at_, at_ + size, alone ? TokenKind::Single : TokenKind::Inner);
      previous = here;
      previousBegin = at_;
      at_ += size;
    }
  }
  bool ideographAt(std::size_t at) const noexcept {
    return at < text_.size() && kindOf(characterAt(text_, at).code) == CharacterKind::Ideograph;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokenise(std::string_view text) { return Tokeniser(text).run(); }

} // namespace skillhost::keyword
