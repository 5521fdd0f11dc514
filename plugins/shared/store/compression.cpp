// SPDX-License-Identifier: Apache-2.0
// Only this source includes zstd.
#include "compression.hpp"

#include "problem.hpp"

#include <zstd.h>

namespace skillhost::store {
namespace {

constexpr int compressionLevel = 9; // higher levels take much longer and save little

} // namespace

std::string compress(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), compressionLevel);
  if (ZSTD_isError(size) != 0U)
    throw StoreError(Problem::Failed,
                     std::string("vfs.json cannot be compressed: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

Buffer expand(std::string_view compressed, std::size_t size) {
  // The frame states its expanded size, which must be correct, so no more than that is expanded.
  if (ZSTD_getFrameContentSize(compressed.data(), compressed.size()) != size ||
      ZSTD_findFrameCompressedSize(compressed.data(), compressed.size()) != compressed.size())
    throw StoreError(Problem::Corrupt, "vfs.json is no Zstandard frame of the size that "
                                       "metadata.json says");
  Buffer out(size);
  if (ZSTD_decompress(out.data(), size, compressed.data(), compressed.size()) != size)
    throw StoreError(Problem::Corrupt, "vfs.json does not expand to what it should");
  return out;
}

} // namespace skillhost::store
