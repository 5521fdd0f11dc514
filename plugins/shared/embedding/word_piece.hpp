// SPDX-License-Identifier: Apache-2.0
// Text to the numbers of its tokens, as BERT's models were trained: words are cut into the longest
// pieces that the vocabulary has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost::embedding {

class WordPiece {
public:
  struct Options {
    bool lowerCase = true;    // and without accents
    bool splitChinese = true; // each such character is a word
  };

  // A vocabulary has a token a line, whose number is that of the line. Throws
  // skh::Error(SKH_INVALID) without [UNK], [CLS] or [SEP], with a token twice, or with none.
  WordPiece(std::string_view vocabulary, const std::string &called, Options options);

  // [CLS], the pieces, [SEP]; at most `most` numbers, at least 2: what is beyond is left out, and
  // no more of the text is read than that needs. Bytes that are not UTF-8 are passed over.
  std::vector<std::uint32_t> encode(std::string_view text, std::size_t most) const;
  std::size_t size() const noexcept { return numbers_.size(); }

private:
  class Words;
  void addWord(const std::vector<std::int32_t> &word, std::vector<std::uint32_t> &to) const;

  std::string text_; // what the keys below view
  Options options_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::uint32_t unknown_ = 0, begin_ = 0, end_ = 0;
};

} // namespace skillhost::embedding
