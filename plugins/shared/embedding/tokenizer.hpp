// SPDX-License-Identifier: Apache-2.0
// Turns text into the numbers of its tokens, as in the training of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace skillhost::embedding {

// Immutable, so that any number of threads may use it.
class Tokenizer {
public:
  Tokenizer() = default;
  Tokenizer(const Tokenizer &) = delete;
  Tokenizer &operator=(const Tokenizer &) = delete;
  virtual ~Tokenizer() = default;

  // Returns the number that begins a text, those of its pieces, and the number that ends it: at
  // most `maxTokens` (at least 2). The rest of the text is ignored and not read.
  virtual std::vector<std::uint32_t> encode(std::string_view text, std::size_t maxTokens) const = 0;
  // Returns a number that is greater than each number that encode() can return.
  virtual std::size_t size() const noexcept = 0;
};

} // namespace skillhost::embedding
