// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as an archive from a stranger.
#include "archive/tar.hpp"
#include "archive_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  return readsWithinLimits<skillhost::archive::TarLimits>(data, size, skillhost::archive::readTar);
}
