// SPDX-License-Identifier: Apache-2.0
// Resident memory of a process, by the number of calls that it has answered.
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

// Returns the difference in MiB between the medians of the first and the last fifth of the samples.
double growth(const std::vector<Sample> &samples);
// Returns the growth in MiB per million calls, by least squares.
double slope(const std::vector<Sample> &samples);

} // namespace soak
