// SPDX-License-Identifier: Apache-2.0
// The arithmetic of an encoder, once for each kind of processor. All of them give the same bytes:
// products of weights and activations are sums of whole numbers, and everything else is done with
// sixteen numbers side by side, in one order, by operations that IEEE 754 rounds in one way. So
// vectors that one processor has kept are good for every other.
//
// Compiled with flags of its own for each kind. So nothing here, and nothing that is included here,
// may be an inline function that another translation unit could take for its own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skillhost::embedding {

// Numbers that a kernel works on side by side; sizes of a model are multiples of it.
inline constexpr std::size_t lanes = 16;
// Outputs of a matrix are a multiple of this.
inline constexpr std::size_t outputBlock = 64;
// Activations are 7 bits wide, from 1 to 127, and this stands for zero: two products of 7 and 8
// bits never overflow 16, so that AVX2 gives what AVX-512 gives.
inline constexpr int activationZero = 64;

// A linear layer. Weights of output o and input i: packed[(o / 16 * inputs + i / 4 * 4) * 16 +
// o % 16 * 4 + i % 4]. Borrowed.
struct MatrixView {
  std::size_t inputs = 0;  // a multiple of 16
  std::size_t outputs = 0; // a multiple of outputBlock
  const std::int8_t *packed = nullptr;
  const float *scales = nullptr;       // of an output
  const float *bias = nullptr;         // of an output
  const std::int32_t *zeros = nullptr; // of an output: activationZero times the sum of its weights
};

enum class Activation { Gelu, GeluTanh, Relu };

struct AttentionSizes {
  std::size_t tokens = 0; // at least 1
  std::size_t heads = 0;
  std::size_t headWidth = 0; // a multiple of 16
};

// How many tokens there are with those that fill the last sixteen.
constexpr std::size_t paddedTokens(std::size_t tokens) {
  return (tokens + lanes - 1) / lanes * lanes;
}

struct Kernels {
  const char *name;
  // rows × width floats to whole numbers with a scale for each row.
  void (*quantise)(const float *from, std::size_t rows, std::size_t width, std::uint8_t *to,
                   float *scales);
  // to[rows × outputs] = activations[rows × inputs] × matrix + bias
  void (*multiply)(const std::uint8_t *activations, const float *scales, std::size_t rows,
                   const MatrixView &matrix, float *to);
  // x = layer norm of (x + y), by row.
  void (*addAndNormalise)(float *x, const float *y, std::size_t rows, std::size_t width,
                          const float *gain, const float *shift, float epsilon);
  void (*activate)(float *x, std::size_t count, Activation activation);
  // qkv[tokens × 3 × heads × headWidth] to to[tokens × heads × headWidth]. keys has room for
  // headWidth × paddedTokens, scores for 4 × paddedTokens.
  void (*attend)(const float *qkv, const AttentionSizes &sizes, float *keys, float *scores,
                 float *to);
  // to[rows] = the products of a vector with those of a table, both of `width` whole numbers from
  // -127 to 127; width is a multiple of 16.
  void (*dot)(const std::int8_t *table, std::size_t rows, std::size_t width,
              const std::int8_t *vector, std::int32_t *to);
};

// Each is there where the build has it; whether the processor has it is asked elsewhere.
extern const Kernels portableKernels;
#if defined(__x86_64__)
extern const Kernels avx2Kernels;
extern const Kernels avx512Kernels;
#elif defined(__aarch64__)
extern const Kernels neonKernels;
#endif

} // namespace skillhost::embedding
