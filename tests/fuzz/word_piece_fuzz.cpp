// SPDX-License-Identifier: Apache-2.0
// Splits any text by any vocabulary: the result has at most as many tokens as asked for, all of
// them known.
#include "embedding/word_piece.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using skillhost::embedding::WordPiece;
  constexpr std::size_t most = 64;
  const std::string_view all(reinterpret_cast<const char *>(data), size);
  const std::size_t cut = std::min(all.find('\0'), all.size());
  try {
    const std::string vocabulary =
        "[UNK]\n[CLS]\n[SEP]\na\n##a\nb\n" + std::string(all.substr(0, cut));
    const WordPiece pieces(vocabulary, "vocab.txt", {size % 2 == 0, size % 3 == 0});
    const auto tokens = pieces.encode(all.substr(cut), most);
    if (tokens.size() < 2 || tokens.size() > most) std::abort();
    for (const std::uint32_t each : tokens)
      if (each >= pieces.size()) std::abort();
  } catch (const skh::Error &) {}
  return 0;
}
