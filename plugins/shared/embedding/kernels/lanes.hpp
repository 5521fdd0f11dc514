// SPDX-License-Identifier: Apache-2.0
// Everything except matrix products, as operations on sixteen numbers in parallel. One source for
// each kind of processor includes it and compiles it with its flags. All of it is in an unnamed
// namespace, so that no kind uses the code of another.
#pragma once

#include "kernels.hpp"

namespace skillhost::embedding {
namespace {

// Vector types of GCC and clang. They use the processor's registers, and each of the sixteen
// results is the same as if it were computed alone.
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));
using Whole = std::int32_t __attribute__((vector_size(lanes * sizeof(std::int32_t))));
using Small = std::uint8_t __attribute__((vector_size(lanes)));

// Vectors are only passed by reference, because passing them by value depends on the flags.
inline void load(const float *from, Floats &to) { __builtin_memcpy(&to, from, sizeof to); }
inline void store(const Floats &from, float *to) { __builtin_memcpy(to, &from, sizeof from); }

inline float sum(const Floats &of) {
  float total = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) total += of[lane];
  return total;
}

inline void larger(const Floats &other, Floats &of) { of = of < other ? other : of; }

// Computes e to the power of x for x up to 0; values below -87 give the result for -87. The
// relative error is below 2e-7.
inline void exponential(Floats &x) {
  constexpr float least = -87.0F;
  constexpr float toPowersOfTwo = 1.44269504F;
  constexpr float logarithmOfTwo = 0.693147181F;
  constexpr int exponentBias = 127;
  constexpr int mantissaBits = 23;
  larger(Floats{} + least, x);
  x *= toPowersOfTwo;
  const Whole power = __builtin_convertvector(x - 0.5F, Whole);
  const Floats rest = (x - __builtin_convertvector(power, Floats)) * logarithmOfTwo;
  // Taylor series on an interval of half a power of two to each side.
  constexpr float c2 = 1.0F / 2, c3 = 1.0F / 6, c4 = 1.0F / 24, c5 = 1.0F / 120, c6 = 1.0F / 720;
  const Floats series =
      1.0F + rest * (1.0F + rest * (c2 + rest * (c3 + rest * (c4 + rest * (c5 + rest * c6)))));
  const Whole bits = (power + exponentBias) << mantissaBits;
  Floats scale;
  __builtin_memcpy(&scale, &bits, sizeof scale);
  x = series * scale;
}

inline void magnitude(const Floats &of, Floats &to) { to = of < 0.0F ? -of : of; }

void quantiseRows(const float *from, std::size_t rows, std::size_t width, std::uint8_t *to,
                  float *scales) {
  constexpr float most = 63;
  constexpr float minMagnitude = 1e-8F; // even a row of zeros has a scale
  for (std::size_t row = 0; row < rows; ++row, from += width, to += width) {
    Floats largest = Floats{} + minMagnitude;
    for (std::size_t at = 0; at < width; at += lanes) {
      Floats x, size;
      load(from + at, x);
      magnitude(x, size);
      larger(size, largest);
    }
    float size = minMagnitude;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      size = size < largest[lane] ? largest[lane] : size;
    scales[row] = size / most;
    const float factor = most / size;
    for (std::size_t at = 0; at < width; at += lanes) {
      Floats x;
      load(from + at, x);
      // Adding a half and cutting off the fraction gives the nearest whole number.
      const Whole whole =
          __builtin_convertvector(x * factor + (static_cast<float>(activationZero) + 0.5F), Whole);
      const Small small = __builtin_convertvector(whole, Small);
      __builtin_memcpy(to + at, &small, sizeof small);
    }
  }
}

// Converts sixteen sums of whole numbers to floats.
inline void scaled(const Whole &sums, const MatrixView &matrix, std::size_t output, float scale,
                   float *to) {
  Whole zeros;
  __builtin_memcpy(&zeros, matrix.zeros + output, sizeof zeros);
  Floats scales, bias;
  load(matrix.scales + output, scales);
  load(matrix.bias + output, bias);
  const Floats product = __builtin_convertvector(sums - zeros, Floats) * (scales * scale);
  store(product + bias, to + output);
}

void addAndNormaliseRows(float *x, const float *y, std::size_t rows, std::size_t width,
                         const float *gain, const float *shift, float epsilon) {
  const auto count = static_cast<float>(width);
  for (std::size_t row = 0; row < rows; ++row, x += width, y += width) {
    Floats total{};
    for (std::size_t at = 0; at < width; at += lanes) {
      Floats left, right;
      load(x + at, left);
      load(y + at, right);
      left += right;
      store(left, x + at);
      total += left;
    }
    const float mean = sum(total) / count;
    Floats squares{};
    for (std::size_t at = 0; at < width; at += lanes) {
      Floats each;
      load(x + at, each);
      each -= mean;
      squares += each * each;
    }
    const float factor = 1.0F / __builtin_sqrtf(sum(squares) / count + epsilon);
    for (std::size_t at = 0; at < width; at += lanes) {
      Floats each, gains, shifts;
      load(x + at, each);
      load(gain + at, gains);
      load(shift + at, shifts);
      store((each - mean) * factor * gains + shifts, x + at);
    }
  }
}

// Computes x times the share of the normal distribution below x, with the error function
// (Abramowitz and Stegun 7.1.26, wrong by at most 1.5e-7).
inline void gelu(Floats &x) {
  constexpr float inverseRootOfTwo = 0.70710678F;
  constexpr float p = 0.3275911F;
  constexpr float a1 = 0.254829592F, a2 = -0.284496736F, a3 = 1.421413741F, a4 = -1.453152027F,
                  a5 = 1.061405429F;
  Floats size;
  magnitude(x, size);
  size *= inverseRootOfTwo;
  const Floats t = 1.0F / (1.0F + p * size);
  Floats falling = -size * size;
  exponential(falling);
  const Floats error = 1.0F - ((((a5 * t + a4) * t + a3) * t + a2) * t + a1) * t * falling;
  x = 0.5F * x * (1.0F + (x < 0.0F ? -error : error));
}

// Does the same with the hyperbolic tangent, with which some models were trained.
inline void geluTanh(Floats &x) {
  constexpr float root = 0.7978845608F; // root of 2 / pi
  constexpr float cubic = 0.044715F;
  const Floats inner = root * (x + cubic * x * x * x);
  Floats size;
  magnitude(inner, size);
  Floats falling = -2.0F * size;
  exponential(falling);
  const Floats tangent = (1.0F - falling) / (1.0F + falling);
  x = 0.5F * x * (1.0F + (inner < 0.0F ? -tangent : tangent));
}

void activateAll(float *x, std::size_t count, Activation activation) {
  for (std::size_t at = 0; at < count; at += lanes) {
    Floats each;
    load(x + at, each);
    if (activation == Activation::Gelu)
      gelu(each);
    else if (activation == Activation::GeluTanh)
      geluTanh(each);
    else
      larger(Floats{}, each);
    store(each, x + at);
  }
}

constexpr std::size_t queriesAtOnce = 4;

// Computes how strongly each of up to four tokens attends to every token, as shares of one
// (softmax). `query` belongs to the first of them.
void shares(const float *query, std::size_t stride, std::size_t queries, const float *keys,
            const AttentionSizes &sizes, float *scores) {
  const std::size_t padded = paddedTokens(sizes.tokens);
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(sizes.headWidth));
  for (std::size_t at = 0; at < padded; at += lanes) {
    Floats totals[queriesAtOnce]{};
    for (std::size_t d = 0; d < sizes.headWidth; ++d) {
      Floats key;
      load(keys + d * padded + at, key);
      for (std::size_t q = 0; q < queriesAtOnce; ++q)
        totals[q] += query[(q < queries ? q : 0) * stride + d] * scale * key;
    }
    for (std::size_t q = 0; q < queriesAtOnce; ++q) store(totals[q], scores + q * padded + at);
  }
  constexpr float nothing = -1e30F;
  for (std::size_t q = 0; q < queries; ++q) {
    float *row = scores + q * padded;
    for (std::size_t at = sizes.tokens; at < padded; ++at) row[at] = nothing;
    float largest = nothing;
    for (std::size_t at = 0; at < sizes.tokens; ++at)
      largest = largest < row[at] ? row[at] : largest;
    Floats total{};
    for (std::size_t at = 0; at < padded; at += lanes) {
      Floats each;
      load(row + at, each);
      each -= largest;
      exponential(each);
      store(each, row + at);
      total += each;
    }
    const float factor = 1.0F / sum(total);
    for (std::size_t at = 0; at < padded; at += lanes) {
      Floats each;
      load(row + at, each);
      store(each * factor, row + at);
    }
  }
}

void attendAll(const float *qkv, const AttentionSizes &sizes, float *keys, float *scores,
               float *to) {
  const std::size_t width = sizes.heads * sizes.headWidth;
  const std::size_t stride = 3 * width;
  const std::size_t padded = paddedTokens(sizes.tokens);
  for (std::size_t head = 0; head < sizes.heads; ++head) {
    const float *query = qkv + head * sizes.headWidth;
    const float *key = query + width;
    const float *value = key + width;
    for (std::size_t d = 0; d < sizes.headWidth; ++d) {
      float *row = keys + d * padded;
      for (std::size_t token = 0; token < sizes.tokens; ++token)
        row[token] = key[token * stride + d];
      for (std::size_t token = sizes.tokens; token < padded; ++token) row[token] = 0;
    }
    for (std::size_t first = 0; first < sizes.tokens; first += queriesAtOnce) {
      const std::size_t left = sizes.tokens - first;
      const std::size_t queries = left < queriesAtOnce ? left : queriesAtOnce;
      shares(query + first * stride, stride, queries, keys, sizes, scores);
      for (std::size_t at = 0; at < sizes.headWidth; at += lanes) {
        Floats totals[queriesAtOnce]{};
        for (std::size_t token = 0; token < sizes.tokens; ++token) {
          Floats each;
          load(value + token * stride + at, each);
          for (std::size_t q = 0; q < queriesAtOnce; ++q)
            totals[q] += scores[q * padded + token] * each;
        }
        for (std::size_t q = 0; q < queries; ++q)
          store(totals[q], to + (first + q) * width + head * sizes.headWidth + at);
      }
    }
  }
}

void dotRows(const std::int8_t *table, std::size_t rows, std::size_t width,
             const std::int8_t *vector, std::int32_t *to) {
  for (std::size_t row = 0; row < rows; ++row, table += width) {
    std::int32_t total = 0;
    for (std::size_t at = 0; at < width; ++at)
      total += static_cast<std::int32_t>(table[at]) * static_cast<std::int32_t>(vector[at]);
    to[row] = total;
  }
}

} // namespace
} // namespace skillhost::embedding
