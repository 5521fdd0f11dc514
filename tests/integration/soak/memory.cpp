// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace soak {
namespace {

double median(std::vector<Sample> samples) {
  std::sort(samples.begin(), samples.end(),
            [](const Sample &a, const Sample &b) { return a.mebibytes < b.mebibytes; });
  return samples[samples.size() / 2].mebibytes;
}

} // namespace

double residentMebibytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1U << 20U);
}

double growth(const std::vector<Sample> &samples) {
  if (samples.empty()) return 0;
  const auto part = static_cast<std::ptrdiff_t>((samples.size() + 4) / 5);
  return median({samples.end() - part, samples.end()}) -
         median({samples.begin(), samples.begin() + part});
}

double slope(const std::vector<Sample> &samples) {
  const auto count = static_cast<double>(samples.size());
  double calls = 0, memory = 0, products = 0, squares = 0;
  for (const Sample &one : samples) {
    const double x = static_cast<double>(one.calls) * 1e-6;
    calls += x;
    memory += one.mebibytes;
    products += x * one.mebibytes;
    squares += x * x;
  }
  const double spread = count * squares - calls * calls;
  return spread == 0 ? 0 : (count * products - calls * memory) / spread;
}

} // namespace soak
