// SPDX-License-Identifier: Apache-2.0
// The arithmetic of an encoder, once for each kind of processor. All give the same bytes: products
// of weights and activations are sums of whole numbers, and everything else processes sixteen
// numbers in parallel, in one order, with operations that IEEE 754 rounds in only one way. So
// vectors kept by one processor are valid for every other.
//
// Each kind is compiled with its own flags. Therefore nothing in this file or in its includes may
// be an inline function, which another translation unit could use by mistake.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skillhost::embedding {

// Numbers that a kernel processes in parallel. The sizes of a model are multiples of it.
inline constexpr std::size_t lanes = 16;
// The number of outputs of a matrix is a multiple of this.
inline constexpr std::size_t outputBlock = 64;
// Activations have 7 bits, from 1 to 127, and this value stands for zero. The sum of two products
// of 7 and 8 bits never overflows 16 bits, so AVX2 gives the same result as AVX-512.
inline constexpr int activationZero = 64;

// A linear layer. The weight of output o and input i is packed[(o / 16 * inputs + i / 4 * 4) * 16 +
// o % 16 * 4 + i % 4]. The memory is borrowed.
struct MatrixView {
  std::size_t inputs = 0;  // a multiple of 16
  std::size_t outputs = 0; // a multiple of outputBlock
  const std::int8_t *packed = nullptr;
  const float *scales = nullptr;       // by output
  const float *bias = nullptr;         // by output
  const std::int32_t *zeros = nullptr; // by output: activationZero times the sum of its weights
};

enum class Activation { Gelu, GeluTanh, Relu };

struct AttentionSizes {
  std::size_t tokens = 0; // at least 1
  std::size_t heads = 0;
  std::size_t headWidth = 0; // a multiple of 16
};

// Rounds the number of tokens up to a multiple of sixteen.
constexpr std::size_t paddedTokens(std::size_t tokens) {
  return (tokens + lanes - 1) / lanes * lanes;
}

struct Kernels {
  const char *name;
  // Converts rows × width floats to whole numbers with a scale for each row.
  void (*quantise)(const float *from, std::size_t rows, std::size_t width, std::uint8_t *to,
                   float *scales);
  // Computes to[rows × outputs] = activations[rows × inputs] × matrix + bias.
  void (*multiply)(const std::uint8_t *activations, const float *scales, std::size_t rows,
                   const MatrixView &matrix, float *to);
  // Computes x = layer norm of (x + y) for each row.
  void (*addAndNormalise)(float *x, const float *y, std::size_t rows, std::size_t width,
                          const float *gain, const float *shift, float epsilon);
  void (*activate)(float *x, std::size_t count, Activation activation);
  // Computes to[tokens × heads × headWidth] from qkv[tokens × 3 × heads × headWidth]. copies must
  // have room for 2 × headWidth × paddedTokens, and scores for 4 × paddedTokens.
  void (*attend)(const float *qkv, const AttentionSizes &sizes, float *copies, float *scores,
                 float *to);
  // Computes to[rows] = the products of a vector with each row of a table. Both have `width` whole
  // numbers from -127 to 127; width is a multiple of 16.
  void (*dot)(const std::int8_t *table, std::size_t rows, std::size_t width,
              const std::int8_t *vector, std::int32_t *to);
};

// Each exists if the build supports it. Another function checks the processor.
extern const Kernels portableKernels;
#if defined(__x86_64__)
extern const Kernels avx2Kernels;
extern const Kernels avx512Kernels;
#elif defined(__aarch64__)
extern const Kernels neonKernels;
#endif

} // namespace skillhost::embedding
