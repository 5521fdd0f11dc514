// SPDX-License-Identifier: Apache-2.0
// The resident memory of a process, over the calls it has answered.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace soak {

struct Sample {
  std::uint64_t calls;
  double mebibytes;
};

double residentMebibytes(pid_t process);

// From the median of the first fifth of the samples to that of the last.
double growth(const std::vector<Sample> &samples);
// MiB for a million calls, by least squares.
double slope(const std::vector<Sample> &samples);

} // namespace soak
