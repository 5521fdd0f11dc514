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
      // There is a sum for each of four inputs and sixteen outputs, in the order of the weights.
      std::int32_t products[4 * lanes]{};
      for (std::size_t input = 0; input < matrix.inputs; input += 4) {
        const std::int8_t *column = weights + input * lanes;
        std::int16_t x[4 * lanes];
        for (std::size_t at = 0; at < 4 * lanes; ++at) x[at] = inputs[input + at % 4];
        for (std::size_t at = 0; at < 4 * lanes; ++at)
          products[at] += static_cast<std::int16_t>(x[at] * column[at]);
      }
      std::int32_t sums[lanes];
      for (std::size_t lane = 0; lane < lanes; ++lane)
        sums[lane] = products[4 * lane] + products[4 * lane + 1] + products[4 * lane + 2] +
                     products[4 * lane + 3];
      Whole whole[parts];
      __builtin_memcpy(whole, sums, sizeof whole);
      scaled(whole, matrix, output, scales[row], to + row * matrix.outputs);
    }
  }
}

} // namespace

const Kernels portableKernels{"portable",  quantiseRows, multiplyRows, addAndNormaliseRows,
                              activateAll, attendAll,    dotRows};

} // namespace skillhost::embedding
