// SPDX-License-Identifier: Apache-2.0
// Turns text into the numbers of its tokens with a unigram model of SentencePiece: it takes the
// pieces whose scores have the greatest sum. Tokens are numbered as in XLM-RoBERTa.
#pragma once

#include "character_map.hpp"
#include "tokenizer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::embedding {

class Unigram final : public Tokenizer {
public:
  // Takes the content of a file sentencepiece.bpe.model, which is `called` so in errors. Throws
  // skh::Error(SKH_INVALID) if it is damaged, or is not a unigram model of XLM-RoBERTa's form.
  Unigram(std::string_view model, const std::string &called);

  // Reads no more of a text than `maxTokens` pieces of the greatest length. Each byte that is not
  // UTF-8 is an unknown character; neighbouring unknown characters are one token.
  std::vector<std::uint32_t> encode(std::string_view text, std::size_t maxTokens) const override;
  std::size_t size() const noexcept override { return size_; }

private:
  struct Piece {
    std::uint32_t begin = 0; // in text_
    std::uint32_t number = 0;
    float score = 0;
    std::uint32_t length = 0;
  };

  std::string_view textOf(const Piece &piece) const {
    return std::string_view(text_).substr(piece.begin, piece.length);
  }
  void sort(const std::string &called);
  template <class Take> void matches(std::string_view text, Take take) const;

  std::string text_;          // of all pieces
  std::vector<Piece> pieces_; // sorted by their bytes
  CharacterMap characters_;
  std::size_t size_ = 0, longest_ = 1; // longest_: of a piece, in bytes
  float unknownScore_ = 0;
};

} // namespace skillhost::embedding
