// SPDX-License-Identifier: Apache-2.0
#include "word_piece.hpp"

#include <skillhost/plugin.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace skillhost::embedding {
namespace {

using Character = std::int32_t;

// A longer word is unknown as a whole.
constexpr std::size_t maxCharacters = 100;
constexpr std::string_view continues = "##";

bool isSpace(Character c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' ||
         utf8proc_category(c) == UTF8PROC_CATEGORY_ZS;
}

bool isControl(Character c) {
  switch (utf8proc_category(c)) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CO:
  case UTF8PROC_CATEGORY_CS:
  case UTF8PROC_CATEGORY_CN:
    return true;
  default:
    return false;
  }
}

bool isPunctuation(Character c) {
  // Includes all ASCII characters except letters and digits, although Unicode calls some of them
  // symbols.
  if ((c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
      (c >= '{' && c <= '~'))
    return true;
  const utf8proc_category_t category = utf8proc_category(c);
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool isChinese(Character c) {
  struct Block {
    Character first, last;
  };
  static constexpr std::array<Block, 8> blocks{{{0x4E00, 0x9FFF},
                                                {0x3400, 0x4DBF},
                                                {0x20000, 0x2A6DF},
                                                {0x2A700, 0x2B73F},
                                                {0x2B740, 0x2B81F},
                                                {0x2B820, 0x2CEAF},
                                                {0xF900, 0xFAFF},
                                                {0x2F800, 0x2FA1F}}};
  return std::any_of(blocks.begin(), blocks.end(),
                     [c](const Block &block) { return c >= block.first && c <= block.last; });
}

} // namespace

// Splits a text at white space and around punctuation.
class WordPiece::Words {
public:
  Words(const WordPiece &pieces, std::size_t maxTokens, std::vector<std::uint32_t> &to)
      : pieces_(pieces), maxTokens_(maxTokens), to_(to) {}

  bool full() const { return to_.size() >= maxTokens_; }
  void end() {
    if (!word_.empty()) pieces_.addWord(word_, to_);
    word_.clear();
  }
  void single(Character c) {
    end();
    word_.push_back(c);
    end();
  }
  void add(Character c) {
    if (isSpace(c))
      end();
    else if (isPunctuation(c))
      single(c);
    else if (word_.size() <= maxCharacters)
      word_.push_back(c); // one more character marks the word as longer
  }
  // Adds the decomposed character in lower case, without accents.
  void addFolded(Character c) {
    constexpr std::size_t most = 32; // the longest decomposition has 18
    std::array<Character, most> parts{};
    int boundary = 0;
    const utf8proc_ssize_t count =
        utf8proc_decompose_char(c, parts.data(), most, UTF8PROC_DECOMPOSE, &boundary);
    for (utf8proc_ssize_t each = 0; each < std::min<utf8proc_ssize_t>(count, most); ++each) {
      const Character part = parts[static_cast<std::size_t>(each)];
      if (utf8proc_category(part) != UTF8PROC_CATEGORY_MN) add(utf8proc_tolower(part));
    }
  }

private:
  const WordPiece &pieces_;
  std::size_t maxTokens_;
  std::vector<std::uint32_t> &to_;
  std::vector<Character> word_;
};

WordPiece::WordPiece(std::string_view vocabulary, const std::string &called, Options options)
    : text_(vocabulary), options_(options) {
  const std::string_view all = text_;
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < all.size(); ++number) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    std::string_view token = all.substr(begin, end - begin);
    if (token.ends_with('\r')) token.remove_suffix(1);
    if (!numbers_.emplace(token, number).second)
      throw skh::Error(SKH_INVALID,
                       called + ":" + std::to_string(number + 1) + ": the token is there twice");
    begin = end + 1;
  }
  const auto special = [&](std::string_view token) {
    const auto found = numbers_.find(token);
    if (found == numbers_.end())
      throw skh::Error(SKH_INVALID, called + ": has no token " + std::string(token));
    return found->second;
  };
  unknown_ = special("[UNK]");
  begin_ = special("[CLS]");
  end_ = special("[SEP]");
}

void WordPiece::addWord(const std::vector<Character> &word, std::vector<std::uint32_t> &to) const {
  if (word.size() > maxCharacters) {
    to.push_back(unknown_);
    return;
  }
  std::string bytes(continues);
  std::vector<std::size_t> ends; // end of each character in `bytes`
  for (const Character each : word) {
    std::array<utf8proc_uint8_t, 4> encoded{};
    const utf8proc_ssize_t count = utf8proc_encode_char(each, encoded.data());
    bytes.append(reinterpret_cast<const char *>(encoded.data()), static_cast<std::size_t>(count));
    ends.push_back(bytes.size());
  }
  const std::size_t before = to.size();
  std::size_t done = 0; // number of characters
  std::string piece;
  while (done < word.size()) {
    const std::size_t begin = done == 0 ? continues.size() : ends[done - 1];
    piece = done == 0 ? "" : continues;
    const std::size_t prefix = piece.size();
    piece.append(bytes, begin);
    std::size_t last = word.size();
    for (; last > done; --last) {
      piece.resize(prefix + ends[last - 1] - begin);
      if (const auto found = numbers_.find(piece); found != numbers_.end()) {
        to.push_back(found->second);
        break;
      }
    }
    if (last == done) {
      to.resize(before);
      to.push_back(unknown_);
      return;
    }
    done = last;
  }
}

std::vector<std::uint32_t> WordPiece::encode(std::string_view text, std::size_t maxTokens) const {
  maxTokens = std::max<std::size_t>(maxTokens, 2);
  std::vector<std::uint32_t> numbers{begin_};
  Words words(*this, maxTokens - 1, numbers);
  const auto *bytes = reinterpret_cast<const utf8proc_uint8_t *>(text.data());
  for (std::size_t at = 0; at < text.size() && !words.full();) {
    Character c = 0;
    const utf8proc_ssize_t read =
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &c);
    at += read > 0 ? static_cast<std::size_t>(read) : 1;
    constexpr Character replacement = 0xFFFD;
    if (read <= 0 || c == 0 || c == replacement) continue;
    if (isSpace(c))
      words.end();
    else if (isControl(c))
      continue;
    else if (options_.splitChinese && isChinese(c))
      words.single(c);
    else if (options_.lowerCase)
      words.addFolded(c);
    else
      words.add(c);
  }
  if (!words.full()) words.end();
  numbers.resize(std::min(numbers.size(), maxTokens - 1));
  numbers.push_back(end_);
  return numbers;
}

} // namespace skillhost::embedding
