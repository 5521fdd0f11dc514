// SPDX-License-Identifier: Apache-2.0
// Weights in 8 bits with a scale for each row. A file may have them as floats, or already in this
// form: the tensor NAME of the type I8, and its scales NAME_scale of a type of floats. Both give
// the same bytes.
#pragma once

#include "safetensors.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::embedding {

inline constexpr std::string_view scaleEnding = "_scale";

// Converts `width` floats to numbers from -127 to 127 and returns their scale. Every processor
// gives the same result.
float quantiseRow(const float *row, std::size_t width, std::int8_t *to);

struct QuantisedRows {
  std::vector<std::int8_t> values; // rows × width
  std::vector<float> scales;       // by row
};
// Reads rows of a tensor of two dimensions. Throws like Safetensors::read().
QuantisedRows readQuantised(const Safetensors &file, const std::string &name,
                            const std::vector<std::uint64_t> &shape, std::uint64_t firstRow,
                            std::uint64_t rows);

} // namespace skillhost::embedding
