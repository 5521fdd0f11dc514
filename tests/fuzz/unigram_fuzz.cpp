// SPDX-License-Identifier: Apache-2.0
// Splits any text by any unigram model: the result has at most as many tokens as asked for, all of
// them known.
#include "embedding/unigram.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  constexpr std::size_t most = 64;
  const std::string_view all(reinterpret_cast<const char *>(data), size);
  // The first two bytes are the length of the model.
  if (size < 2) return 0;
  const std::size_t length = std::min<std::size_t>(data[0] + 256U * data[1], size - 2);
  try {
    const skillhost::embedding::Unigram pieces(all.substr(2, length), "the model");
    const auto tokens = pieces.encode(all.substr(2 + length), most);
    if (tokens.size() < 2 || tokens.size() > most) std::abort();
    for (const std::uint32_t each : tokens)
      if (each >= pieces.size()) std::abort();
  } catch (const skh::Error &) {}
  return 0;
}
