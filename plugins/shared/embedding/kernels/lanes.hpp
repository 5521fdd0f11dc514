// SPDX-License-Identifier: Apache-2.0
// Everything except matrix products, as operations on sixteen numbers in parallel. One source for
// each kind of processor includes it and compiles it with its flags. All of it is in an unnamed
// namespace, so that no kind uses the code of another.
#pragma once

#include "kernels.hpp"

namespace skillhost::embedding {
namespace {

// Sixteen numbers are in as many registers as they need. GCC keeps a vector that is wider than a
// register in memory, which takes several times as long.
#if defined(__AVX512F__)
constexpr std::size_t partLanes = 16;
#elif defined(__AVX2__)
constexpr std::size_t partLanes = 8;
#else
constexpr std::size_t partLanes = 4;
#endif
constexpr std::size_t parts = lanes / partLanes;

// Vector types of GCC and clang for one register. Each of the results is the same as if it were
// computed alone.
using Floats = float __attribute__((vector_size(partLanes * sizeof(float))));
using Whole = std::int32_t __attribute__((vector_size(partLanes * sizeof(std::int32_t))));

// Vectors are only passed by reference, because passing them by value depends on the flags.
inline void load(const float *from, Floats &to) { __builtin_memcpy(&to, from, sizeof to); }
inline void store(const Floats &from, float *to) { __builtin_memcpy(to, &from, sizeof from); }

// The same for sixteen numbers. One copy of all of them would keep the vectors in memory, too.
inline void loadAll(const float *from, Floats (&to)[parts]) {
  for (std::size_t part = 0; part < parts; ++part) load(from + part * partLanes, to[part]);
}
inline void storeAll(const Floats (&from)[parts], float *to) {
  for (std::size_t part = 0; part < parts; ++part) store(from[part], to + part * partLanes);
}

// Adds sixteen numbers in the order of their lanes.
inline float sum(const Floats (&of)[parts]) {
  float each[lanes];
  storeAll(of, each);
  float total = 0;
  for (const float one : each) total += one;
  return total;
}

inline void larger(const Floats &other, Floats &of) { of = of < other ? other : of; }

// Returns the largest of sixteen numbers.
inline float largestOf(const Floats (&of)[parts]) {
  float each[lanes];
  storeAll(of, each);
  float largest = each[0];
  for (const float one : each) largest = largest < one ? one : largest;
  return largest;
}

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
    Floats largest[parts];
    for (Floats &each : largest) each = Floats{} + minMagnitude;
    for (std::size_t at = 0; at < width; at += lanes)
      for (std::size_t part = 0; part < parts; ++part) {
        Floats x, size;
        load(from + at + part * partLanes, x);
        magnitude(x, size);
        larger(size, largest[part]);
      }
    const float size = largestOf(largest);
    scales[row] = size / most;
    const float factor = most / size;
    const float *__restrict source = from;
    std::uint8_t *__restrict target = to;
    // Adding a half and cutting off the fraction gives the nearest whole number. A broken model has
    // sums that are no numbers, which become 0. The compiler makes vectors of this loop.
    for (std::size_t at = 0; at < width; ++at) {
      const float value = source[at] * factor + (static_cast<float>(activationZero) + 0.5F);
      target[at] = static_cast<std::uint8_t>(static_cast<std::int32_t>(value > 0 ? value : 0));
    }
  }
}

// Converts sixteen sums of whole numbers to floats.
inline void scaled(const Whole (&sums)[parts], const MatrixView &matrix, std::size_t output,
                   float scale, float *to) {
  for (std::size_t part = 0; part < parts; ++part, output += partLanes) {
    Whole zeros;
    __builtin_memcpy(&zeros, matrix.zeros + output, sizeof zeros);
    Floats scales, bias;
    load(matrix.scales + output, scales);
    load(matrix.bias + output, bias);
    const Floats product = __builtin_convertvector(sums[part] - zeros, Floats) * (scales * scale);
    store(product + bias, to + output);
  }
}

void addAndNormaliseRows(float *x, const float *y, std::size_t rows, std::size_t width,
                         const float *gain, const float *shift, float epsilon) {
  const auto count = static_cast<float>(width);
  for (std::size_t row = 0; row < rows; ++row, x += width, y += width) {
    Floats total[parts]{};
    for (std::size_t at = 0; at < width; at += lanes)
      for (std::size_t part = 0; part < parts; ++part) {
        Floats left, right;
        load(x + at + part * partLanes, left);
        load(y + at + part * partLanes, right);
        left += right;
        store(left, x + at + part * partLanes);
        total[part] += left;
      }
    const float mean = sum(total) / count;
    Floats squares[parts]{};
    for (std::size_t at = 0; at < width; at += lanes)
      for (std::size_t part = 0; part < parts; ++part) {
        Floats each;
        load(x + at + part * partLanes, each);
        each -= mean;
        squares[part] += each * each;
      }
    const float factor = 1.0F / __builtin_sqrtf(sum(squares) / count + epsilon);
    for (std::size_t at = 0; at < width; at += partLanes) {
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
  for (std::size_t at = 0; at < count; at += partLanes) {
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
// (softmax). `query` belongs to the first of them. `keys` has the numbers of all tokens beside each
// other, `headWidth` times.
void shares(const float *query, std::size_t stride, std::size_t queries, const float *keys,
            const AttentionSizes &sizes, float *scores) {
  const std::size_t padded = paddedTokens(sizes.tokens);
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(sizes.headWidth));
  const float *from[queriesAtOnce];
  for (std::size_t q = 0; q < queriesAtOnce; ++q) from[q] = query + (q < queries ? q : 0) * stride;
  for (std::size_t at = 0; at < padded; at += lanes) {
    Floats totals[queriesAtOnce][parts]{};
    for (std::size_t d = 0; d < sizes.headWidth; ++d) {
      Floats key[parts];
      loadAll(keys + d * padded + at, key);
      for (std::size_t q = 0; q < queriesAtOnce; ++q) {
        const float scaledQuery = from[q][d] * scale;
        for (std::size_t part = 0; part < parts; ++part) totals[q][part] += scaledQuery * key[part];
      }
    }
    for (std::size_t q = 0; q < queriesAtOnce; ++q) storeAll(totals[q], scores + q * padded + at);
  }
  constexpr float nothing = -1e30F;
  for (std::size_t q = 0; q < queries; ++q) {
    float *row = scores + q * padded;
    for (std::size_t at = sizes.tokens; at < padded; ++at) row[at] = nothing;
    Floats most[parts];
    for (Floats &each : most) each = Floats{} + nothing;
    for (std::size_t at = 0; at < padded; at += lanes)
      for (std::size_t part = 0; part < parts; ++part) {
        Floats each;
        load(row + at + part * partLanes, each);
        larger(each, most[part]);
      }
    const float largest = largestOf(most);
    Floats total[parts]{};
    for (std::size_t at = 0; at < padded; at += lanes)
      for (std::size_t part = 0; part < parts; ++part) {
        Floats each;
        load(row + at + part * partLanes, each);
        each -= largest;
        exponential(each);
        store(each, row + at + part * partLanes);
        total[part] += each;
      }
    const float factor = 1.0F / sum(total);
    for (std::size_t at = 0; at < padded; at += partLanes) {
      Floats each;
      load(row + at, each);
      store(each * factor, row + at);
    }
  }
}

// Computes the sums of the values, each times its share, for up to four tokens.
void addShares(const float *scores, std::size_t queries, const float *values,
               const AttentionSizes &sizes, std::size_t stride, float *to) {
  const std::size_t padded = paddedTokens(sizes.tokens);
  for (std::size_t at = 0; at < sizes.headWidth; at += lanes) {
    Floats totals[queriesAtOnce][parts]{};
    for (std::size_t token = 0; token < sizes.tokens; ++token) {
      Floats value[parts];
      loadAll(values + token * sizes.headWidth + at, value);
      for (std::size_t q = 0; q < queriesAtOnce; ++q)
        for (std::size_t part = 0; part < parts; ++part)
          totals[q][part] += scores[q * padded + token] * value[part];
    }
    for (std::size_t q = 0; q < queriesAtOnce; ++q)
      if (q < queries) storeAll(totals[q], to + q * stride + at);
  }
}

void attendAll(const float *qkv, const AttentionSizes &sizes, float *copies, float *scores,
               float *to) {
  const std::size_t width = sizes.heads * sizes.headWidth;
  const std::size_t stride = 3 * width;
  const std::size_t padded = paddedTokens(sizes.tokens);
  // The rows of `qkv` are so far apart that a cache keeps few of them.
  float *keys = copies;
  float *values = copies + sizes.headWidth * padded;
  for (std::size_t head = 0; head < sizes.heads; ++head) {
    const float *query = qkv + head * sizes.headWidth;
    for (std::size_t token = 0; token < sizes.tokens; ++token) {
      const float *key = query + token * stride + width;
      for (std::size_t d = 0; d < sizes.headWidth; ++d) keys[d * padded + token] = key[d];
      __builtin_memcpy(values + token * sizes.headWidth, key + width,
                       sizes.headWidth * sizeof(float));
    }
    for (std::size_t d = 0; d < sizes.headWidth; ++d)
      for (std::size_t token = sizes.tokens; token < padded; ++token) keys[d * padded + token] = 0;
    for (std::size_t first = 0; first < sizes.tokens; first += queriesAtOnce) {
      const std::size_t left = sizes.tokens - first;
      const std::size_t queries = left < queriesAtOnce ? left : queriesAtOnce;
      shares(query + first * stride, stride, queries, keys, sizes, scores);
      addShares(scores, queries, values, sizes, width, to + first * width + head * sizes.headWidth);
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
