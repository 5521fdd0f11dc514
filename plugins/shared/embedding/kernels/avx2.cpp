// SPDX-License-Identifier: Apache-2.0
// The kernels for x86-64 since 2013. This file is compiled with -mavx2 but without -mfma, which
// would give other results.
#include "lanes.hpp"

#include <immintrin.h>

namespace skillhost::embedding {
namespace {

constexpr std::size_t rowsAtOnce = 4;

void multiplyRows(const std::uint8_t *activations, const float *scales, std::size_t rows,
                  const MatrixView &matrix, float *to) {
  const __m256i one = _mm256_set1_epi16(1);
  for (std::size_t output = 0; output < matrix.outputs; output += lanes) {
    const std::int8_t *weights = matrix.packed + output * matrix.inputs;
    for (std::size_t first = 0; first < rows; first += rowsAtOnce) {
      const std::size_t count = rows - first < rowsAtOnce ? rows - first : rowsAtOnce;
      const std::uint8_t *inputs[rowsAtOnce];
      for (std::size_t row = 0; row < rowsAtOnce; ++row)
        inputs[row] = activations + (first + (row < count ? row : 0)) * matrix.inputs;
      __m256i sums[rowsAtOnce][2];
      for (auto &row : sums) row[0] = row[1] = _mm256_setzero_si256();
      for (std::size_t input = 0; input < matrix.inputs; input += 4) {
        const auto *at = reinterpret_cast<const __m256i *>(weights + input * lanes);
        const __m256i low = _mm256_loadu_si256(at);
        const __m256i high = _mm256_loadu_si256(at + 1);
        for (std::size_t row = 0; row < rowsAtOnce; ++row) {
          std::int32_t four = 0;
          __builtin_memcpy(&four, inputs[row] + input, sizeof four);
          const __m256i x = _mm256_set1_epi32(four);
          sums[row][0] =
              _mm256_add_epi32(sums[row][0], _mm256_madd_epi16(_mm256_maddubs_epi16(x, low), one));
          sums[row][1] =
              _mm256_add_epi32(sums[row][1], _mm256_madd_epi16(_mm256_maddubs_epi16(x, high), one));
        }
      }
      for (std::size_t row = 0; row < count; ++row) {
        Whole whole;
        __builtin_memcpy(&whole, sums[row], sizeof whole);
        scaled(whole, matrix, output, scales[first + row], to + (first + row) * matrix.outputs);
      }
    }
  }
}

} // namespace

const Kernels avx2Kernels{"avx2",      quantiseRows, multiplyRows, addAndNormaliseRows,
                          activateAll, attendAll,    dotRows};

} // namespace skillhost::embedding
