// SPDX-License-Identifier: Apache-2.0
// The kernels for every 64-bit ARM processor.
#include "lanes.hpp"

#include <arm_neon.h>

namespace skillhost::embedding {
namespace {

constexpr std::size_t quarters = 4; // four registers of sums for sixteen outputs

void multiplyRows(const std::uint8_t *activations, const float *scales, std::size_t rows,
                  const MatrixView &matrix, float *to) {
  for (std::size_t output = 0; output < matrix.outputs; output += lanes) {
    const std::int8_t *weights = matrix.packed + output * matrix.inputs;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint8_t *inputs = activations + row * matrix.inputs;
      int32x4_t sums[quarters];
      for (int32x4_t &each : sums) each = vdupq_n_s32(0);
      for (std::size_t input = 0; input < matrix.inputs; input += 4) {
        std::uint32_t four = 0;
        __builtin_memcpy(&four, inputs + input, sizeof four);
        // The values are at most 127, so they are the same as signed numbers.
        const int8x8_t x = vreinterpret_s8_u32(vdup_n_u32(four));
        for (std::size_t quarter = 0; quarter < quarters; ++quarter) {
          const int8x16_t column = vld1q_s8(weights + (input * quarters + quarter * 4) * 4);
          const int32x4_t low = vpaddlq_s16(vmull_s8(vget_low_s8(column), x));
          const int32x4_t high = vpaddlq_s16(vmull_s8(vget_high_s8(column), x));
          sums[quarter] = vaddq_s32(sums[quarter], vpaddq_s32(low, high));
        }
      }
      Whole whole[parts];
      __builtin_memcpy(whole, sums, sizeof whole);
      scaled(whole, matrix, output, scales[row], to + row * matrix.outputs);
    }
  }
}

} // namespace

const Kernels neonKernels{"neon",      quantiseRows, multiplyRows, addAndNormaliseRows,
                          activateAll, attendAll,    dotRows};

} // namespace skillhost::embedding
