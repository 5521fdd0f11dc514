// SPDX-License-Identifier: Apache-2.0
// Any bytes as what another replica tells of use: nothing crashes or throws, what cannot be read is
// told apart before anything is taken of it, and what was read is written so that it is read as the
// same.
#include "cell_text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

using namespace skillhost;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::string rewritten(std::string_view bytes) {
  CellWriter writer(SIZE_MAX);
  require(readCells(bytes, writer.sink()));
  return std::move(writer).finish();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (!areWholeCells(bytes)) return 0;
  const std::string text = rewritten(bytes);
  require(areWholeCells(text) && text.size() <= bytes.size());
  require(rewritten(text) == text);
  return 0;
}
