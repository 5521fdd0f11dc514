// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a compressed archive from a stranger.
#include "archive/packed.hpp"
#include "archive_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  return readsWithinLimits<skillhost::archive::PackedLimits>(data, size,
                                                             skillhost::archive::readPacked);
}
