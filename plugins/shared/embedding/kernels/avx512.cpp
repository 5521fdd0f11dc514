// SPDX-License-Identifier: Apache-2.0
// The kernels for x86-64 with AVX-512 and its instructions for neural networks (VNNI).
#include "lanes.hpp"

#include <immintrin.h>

namespace skillhost::embedding {
namespace {

constexpr std::size_t rowsAtOnce = 4;
constexpr std::size_t blocks = outputBlock / lanes;

void multiplyRows(const std::uint8_t *activations, const float *scales, std::size_t rows,
                  const MatrixView &matrix, float *to) {
  for (std::size_t output = 0; output < matrix.outputs; output += outputBlock) {
    const std::int8_t *weights = matrix.packed + output * matrix.inputs;
    for (std::size_t first = 0; first < rows; first += rowsAtOnce) {
      const std::size_t count = rows - first < rowsAtOnce ? rows - first : rowsAtOnce;
      const std::uint8_t *inputs[rowsAtOnce];
      for (std::size_t row = 0; row < rowsAtOnce; ++row)
        inputs[row] = activations + (first + (row < count ? row : 0)) * matrix.inputs;
      __m512i sums[rowsAtOnce][blocks];
      for (auto &row : sums)
        for (__m512i &each : row) each = _mm512_setzero_si512();
      for (std::size_t input = 0; input < matrix.inputs; input += 4) {
        // Fetches the weights of the next outputs meanwhile. Behind the last ones there may be no
        // memory, which this instruction ignores.
        if (first == 0)
          for (std::size_t block = blocks; block < 2 * blocks; ++block)
            _mm_prefetch(reinterpret_cast<const char *>(weights) +
                             (block * matrix.inputs + input) * lanes,
                         _MM_HINT_T1);
        __m512i columns[blocks];
        for (std::size_t block = 0; block < blocks; ++block)
          columns[block] = _mm512_loadu_si512(weights + (block * matrix.inputs + input) * lanes);
        for (std::size_t row = 0; row < rowsAtOnce; ++row) {
          std::int32_t four = 0;
          __builtin_memcpy(&four, inputs[row] + input, sizeof four);
          const __m512i x = _mm512_set1_epi32(four);
          for (std::size_t block = 0; block < blocks; ++block)
            sums[row][block] = _mm512_dpbusd_epi32(sums[row][block], x, columns[block]);
        }
      }
      for (std::size_t row = 0; row < count; ++row)
        for (std::size_t block = 0; block < blocks; ++block) {
          Whole whole[parts];
          __builtin_memcpy(whole, &sums[row][block], sizeof whole);
          scaled(whole, matrix, output + block * lanes, scales[first + row],
                 to + (first + row) * matrix.outputs);
        }
    }
  }
}

} // namespace

const Kernels avx512Kernels{"avx512",    quantiseRows, multiplyRows, addAndNormaliseRows,
                            activateAll, attendAll,    dotRows};

} // namespace skillhost::embedding
