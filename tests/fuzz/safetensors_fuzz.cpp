// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a stranger's weights: the values lie within the file, and are finite.
#include "embedding/safetensors.hpp"

#include <skillhost/plugin.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const int file = ::memfd_create("weights", MFD_CLOEXEC);
  if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  try {
    const skillhost::embedding::Safetensors weights("/proc/self/fd/" + std::to_string(file));
    for (const float each : weights.read("a", {2})) {
      if (!std::isfinite(each)) std::abort();
    }
  } catch (const skh::Error &) {}
  ::close(file);
  return 0;
}
