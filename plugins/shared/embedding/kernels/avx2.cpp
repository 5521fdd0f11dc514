// SPDX-License-Identifier: Apache-2.0
// The kernels for x86-64 since 2013. This file is compiled with -mavx2 but without -mfma, which
// would give other results.
#include "lanes.hpp"

#include <immintrin.h>

namespace skillhost::embedding {
namespace {

constexpr std::size_t rowsAtOnce = 4;
// The activations of a block of rows stay in the first cache while all weights pass by.
constexpr std::size_t blockBytes = 24'576;

// Computes sixteen outputs of four rows, which may be the same ones.
inline void multiplyFour(const std::uint8_t *const (&inputs)[rowsAtOnce], std::size_t width,
                         const std::int8_t *weights, Whole (&sums)[rowsAtOnce][parts]) {
  const __m256i one = _mm256_set1_epi16(1);
  __m256i totals[rowsAtOnce][parts];
  for (auto &row : totals) row[0] = row[1] = _mm256_setzero_si256();
  for (std::size_t input = 0; input < width; input += 4) {
    const auto *at = reinterpret_cast<const __m256i *>(weights + input * lanes);
    // Fetches the weights of the next sixteen outputs meanwhile. Behind the last ones there may be
    // no memory, which this instruction ignores.
    _mm_prefetch(reinterpret_cast<const char *>(at) + width * lanes, _MM_HINT_T0);
    const __m256i low = _mm256_loadu_si256(at);
    const __m256i high = _mm256_loadu_si256(at + 1);
    for (std::size_t row = 0; row < rowsAtOnce; ++row) {
      std::int32_t four = 0;
      __builtin_memcpy(&four, inputs[row] + input, sizeof four);
      const __m256i x = _mm256_set1_epi32(four);
      totals[row][0] =
          _mm256_add_epi32(totals[row][0], _mm256_madd_epi16(_mm256_maddubs_epi16(x, low), one));
      totals[row][1] =
          _mm256_add_epi32(totals[row][1], _mm256_madd_epi16(_mm256_maddubs_epi16(x, high), one));
    }
  }
  for (std::size_t row = 0; row < rowsAtOnce; ++row)
    for (std::size_t part = 0; part < parts; ++part)
      sums[row][part] = reinterpret_cast<Whole>(totals[row][part]);
}

void multiplyRows(const std::uint8_t *activations, const float *scales, std::size_t rows,
                  const MatrixView &matrix, float *to) {
  const std::size_t fitting = blockBytes / matrix.inputs / rowsAtOnce * rowsAtOnce;
  const std::size_t block = fitting < rowsAtOnce ? rowsAtOnce : fitting;
  for (std::size_t begin = 0; begin < rows; begin += block) {
    const std::size_t end = rows - begin < block ? rows : begin + block;
    for (std::size_t output = 0; output < matrix.outputs; output += lanes) {
      const std::int8_t *weights = matrix.packed + output * matrix.inputs;
      for (std::size_t first = begin; first < end; first += rowsAtOnce) {
        const std::size_t count = end - first < rowsAtOnce ? end - first : rowsAtOnce;
        const std::uint8_t *inputs[rowsAtOnce];
        for (std::size_t row = 0; row < rowsAtOnce; ++row)
          inputs[row] = activations + (first + (row < count ? row : 0)) * matrix.inputs;
        Whole sums[rowsAtOnce][parts];
        multiplyFour(inputs, matrix.inputs, weights, sums);
        for (std::size_t row = 0; row < count; ++row)
          scaled(sums[row], matrix, output, scales[first + row],
                 to + (first + row) * matrix.outputs);
      }
    }
  }
}

} // namespace

const Kernels avx2Kernels{"avx2",      quantiseRows, multiplyRows, addAndNormaliseRows,
                          activateAll, attendAll,    dotRows};

} // namespace skillhost::embedding
