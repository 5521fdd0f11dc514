// SPDX-License-Identifier: Apache-2.0
// A compressed archive from a stranger: unpacking it ends, and what is taken keeps the limits.
#include "archive/packed.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  constexpr skillhost::archive::PackedLimits limits{8, 4'096};
  try {
    const std::string bytes(data, data + size);
    std::size_t sum = 0;
    const auto files = skillhost::archive::readPacked(bytes, limits);
    for (const auto &file : files) {
      sum += file.bytes.size();
      if (file.path.empty() || file.path.front() == '/') std::abort();
    }
    if (files.size() > limits.files || sum > limits.bytes) std::abort();
  } catch (const std::runtime_error &) {}
  return 0;
}
