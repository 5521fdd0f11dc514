// SPDX-License-Identifier: Apache-2.0
// Turns text into the numbers of its tokens, as in the training of BERT's models: words are split
// into the longest pieces in the vocabulary.
#pragma once

#include "tokenizer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost::embedding {

class WordPiece final : public Tokenizer {
public:
  struct Options {
    bool lowerCase = true;    // removes accents as well
    bool splitChinese = true; // each such character is a word
  };

  // A vocabulary has one token per line, and its number is that of the line. Throws
  // skh::Error(SKH_INVALID) if [UNK], [CLS] or [SEP] is missing, a token is repeated, or there is
  // none.
  WordPiece(std::string_view vocabulary, const std::string &called, Options options);

  // Returns [CLS], the pieces and [SEP]. Bytes that are not UTF-8 are skipped.
  std::vector<std::uint32_t> encode(std::string_view text, std::size_t maxTokens) const override;
  std::size_t size() const noexcept override { return numbers_.size(); }

private:
  class Words;
  void addWord(const std::vector<std::int32_t> &word, std::vector<std::uint32_t> &to) const;

  std::string text_; // memory of the keys below
  Options options_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::uint32_t unknown_ = 0, begin_ = 0, end_ = 0;
};

} // namespace skillhost::embedding
