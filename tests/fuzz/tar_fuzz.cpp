// SPDX-License-Identifier: Apache-2.0
// An archive from a stranger: reading it ends, and what is taken keeps the limits.
#include "archive/tar.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  constexpr skillhost::archive::TarLimits limits{8, 4'096};
  try {
    const std::string bytes(data, data + size);
    std::size_t sum = 0;
    const auto files = skillhost::archive::readTar(bytes, limits);
    for (const auto &file : files) {
      sum += file.bytes.size();
      if (file.path.empty() || file.path.front() == '/') std::abort();
    }
    if (files.size() > limits.files || sum > limits.bytes) std::abort();
  } catch (const std::runtime_error &) {}
  return 0;
}
