// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as an archive from a stranger, while it arrives: reading ends, and the accepted
// files keep the limits.
#include "archive/tar_stream.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  constexpr skillhost::archive::StreamLimits limits{8, 65'536, 50, 4'096};
  const std::string bytes(data, data + size);
  std::size_t given = 0;
  std::size_t taken = 0;
  const auto more = [&] {
    const std::string_view part = std::string_view(bytes).substr(given, 512);
    given += part.size();
    return part;
  };
  try {
    skillhost::archive::readTarStream(more, limits, [&](std::string_view file) {
      // The target of a link is no file; the bytes received bound its size.
      if (file.size() > std::max<std::size_t>(limits.entryBytes, 1'048'576)) std::abort();
      ++taken;
    });
  } catch (const std::runtime_error &) {}
  if (taken > limits.entries) std::abort();
  return 0;
}
