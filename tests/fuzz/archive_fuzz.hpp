// SPDX-License-Identifier: Apache-2.0
// Checks the promises of every reader of a stranger's archive: it ends, and the accepted files keep
// the limits.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

// `read` takes bytes and limits, and returns files or throws std::runtime_error.
template <class Limits, class Read>
int readsWithinLimits(const std::uint8_t *data, std::size_t size, Read read) {
  constexpr Limits limits{8, 4'096};
  try {
    const std::string bytes(data, data + size);
    std::size_t sum = 0;
    const auto files = read(bytes, limits);
    for (const auto &file : files) {
      sum += file.bytes.size();
      if (file.path.empty() || file.path.front() == '/') std::abort();
    }
    if (files.size() > limits.files || sum > limits.bytes) std::abort();
  } catch (const std::runtime_error &) {}
  return 0;
}
