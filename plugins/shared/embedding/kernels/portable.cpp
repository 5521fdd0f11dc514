// SPDX-License-Identifier: Apache-2.0
// The kernels for every processor.
#include "lanes.hpp"

namespace skillhost::embedding {
namespace {

void multiplyRows(const std::uint8_t *activations, const float *scales, std::size_t rows,
                  const MatrixView &matrix, float *to) {
  for (std::size_t output = 0; output < matrix.outputs; output += lanes) {
    const std::int8_t *weights = matrix.packed + output * matrix.inputs;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint8_t *inputs = activations + row * matrix.inputs;
      Whole sums{};
      for (std::size_t input = 0; input < matrix.inputs; ++input) {
        const std::int8_t *column = weights + input / 4 * 4 * lanes + input % 4;
        for (std::size_t lane = 0; lane < lanes; ++lane)
          sums[lane] += static_cast<std::int32_t>(inputs[input]) * column[lane * 4];
      }
      scaled(sums, matrix, output, scales[row], to + row * matrix.outputs);
    }
  }
}

} // namespace

const Kernels portableKernels{"portable",  quantiseRows, multiplyRows, addAndNormaliseRows,
                              activateAll, attendAll,    dotRows};

} // namespace skillhost::embedding
