// SPDX-License-Identifier: Apache-2.0
// Makes a file sentencepiece.bpe.model of XLM-RoBERTa's form, which SentencePiece reads, too.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::model {

struct ScoredPiece {
  std::string_view text;
  float score = 0;
};
// The text that replaces a sequence of characters; both are UTF-8, without a zero byte.
using Replacements = std::map<std::string, std::string>;

// Adds the sequences of characters that Unicode composes to one character, for example a letter and
// an accent. It does so for the characters of the first plane, to which Unicode adds no composed
// ones any more, so the result is the same with every version of Unicode's tables. Each part may
// also be a character that `single` replaces by it.
Replacements withComposed(const Replacements &single);

// `pieces` are all but the first three (<unk>, <s> and </s>). The same input always gives the same
// bytes. `checkpoint` is called every few milliseconds and may throw. Throws std::runtime_error if
// there are too many replacements.
std::string sentencePieceFile(const std::vector<ScoredPiece> &pieces,
                              const Replacements &replacements,
                              const std::function<void()> &checkpoint);

} // namespace skillhost::model
