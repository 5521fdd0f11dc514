// SPDX-License-Identifier: Apache-2.0
#include "quantised_rows.hpp"

#include <algorithm>
#include <cmath>

namespace skillhost::embedding {
namespace {

constexpr float maxWeight = 127; // greatest weight in 8 bits
constexpr float minMagnitude = 1e-9F;

} // namespace

float quantiseRow(const float *row, std::size_t width, std::int8_t *to) {
  float largest = minMagnitude;
  for (std::size_t at = 0; at < width; ++at) largest = std::max(largest, std::fabs(row[at]));
  for (std::size_t at = 0; at < width; ++at)
    to[at] = static_cast<std::int8_t>(std::lround(row[at] * (maxWeight / largest)));
  return largest / maxWeight;
}

QuantisedRows readQuantised(const Safetensors &file, const std::string &name,
                            const std::vector<std::uint64_t> &shape, std::uint64_t firstRow,
                            std::uint64_t rows) {
  file.require(name, shape); // before there is memory for it
  const auto count = static_cast<std::size_t>(rows);
  const auto width = static_cast<std::size_t>(shape.at(1));
  QuantisedRows read{std::vector<std::int8_t>(count * width), std::vector<float>(count)};
  if (file.isWhole(name)) {
    file.readWhole(name, shape, firstRow, rows, read.values.data());
    file.read(name + std::string(scaleEnding), {shape.front()}, firstRow, rows, read.scales.data());
    return read;
  }
  std::vector<float> floats(count * width);
  file.read(name, shape, firstRow, rows, floats.data());
  for (std::size_t row = 0; row < count; ++row)
    read.scales[row] =
        quantiseRow(floats.data() + row * width, width, read.values.data() + row * width);
  return read;
}

} // namespace skillhost::embedding
