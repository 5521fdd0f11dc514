// SPDX-License-Identifier: Apache-2.0
// Replaces characters of a text by those that a model knows, as SentencePiece does: for example
// full-width letters by common ones, and a letter with a separate accent by one character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::embedding {

inline constexpr std::string_view spaceMark = "\xe2\x96\x81"; // stands for a space in pieces

// Immutable, so that any number of threads may use it.
class CharacterMap {
public:
  // Takes the field precompiled_charsmap of a model; without bytes it replaces nothing. Throws
  // skh::Error(SKH_INVALID), whose message begins with `called`, if the bytes are damaged.
  CharacterMap(std::string_view bytes, const std::string &called);

  // Returns the text with its characters replaced, a mark before each word, and no other space.
  // Each byte that is not UTF-8 becomes U+FFFD. The rest of the text is not read when the result
  // has `maxBytes`.
  std::string normalise(std::string_view text, std::size_t maxBytes) const;

private:
  struct Replacement {
    std::string_view text;
    std::size_t length = 0; // bytes that it replaces
  };
  Replacement first(std::string_view rest) const;

  std::vector<std::uint32_t> units_; // a trie in the form of darts-clone
  std::string replacements_;         // each ends with a zero byte
};

} // namespace skillhost::embedding
