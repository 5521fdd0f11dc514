// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "embedding/encoder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

using namespace skillhost::embedding;

namespace {

// Random numbers that are the same on every machine.
class Numbers {
public:
  std::vector<float> floats(std::size_t count, float most) {
    std::vector<float> all(count);
    for (float &each : all)
      each = most * (static_cast<float>(random_() % 2'000'001) / 1'000'000.0F - 1);
    return all;
  }
  // Returns whole numbers from `least` to `least` + `kinds` - 1.
  template <class Whole> std::vector<Whole> whole(std::size_t count, int least, unsigned kinds) {
    std::vector<Whole> all(count);
    for (Whole &each : all) each = static_cast<Whole>(least + static_cast<int>(random_() % kinds));
    return all;
  }

private:
  std::mt19937 random_{7};
};

bool haveSameBytes(const std::vector<float> &left, const std::vector<float> &right) {
  return left.size() == right.size() &&
         std::memcmp(left.data(), right.data(), left.size() * sizeof(float)) == 0;
}

using Work = std::function<std::vector<float>(const Kernels &)>;

// Compares every kind of processor that is here with portable C++.
void requireSameEverywhere(const Work &work) {
  const std::vector<float> expected = work(portableKernels);
  for (const Kernels *kernels : usableKernels()) {
    CAPTURE(kernels->name);
    CHECK(haveSameBytes(work(*kernels), expected));
  }
}

std::vector<float> attended(const Kernels &kernels, const std::vector<float> &from,
                            const AttentionSizes &sizes) {
  const std::size_t padded = paddedTokens(sizes.tokens);
  std::vector<float> copies(2 * sizes.headWidth * padded), scores(4 * padded),
      to(sizes.tokens * sizes.heads * sizes.headWidth);
  kernels.attend(from.data(), sizes, copies.data(), scores.data(), to.data());
  return to;
}

} // namespace

TEST_CASE("products with a matrix are exact on every kind of processor") {
  Numbers numbers;
  // With the most inputs and rows, a kernel takes the rows in several blocks.
  const std::size_t inputs = GENERATE(64U, 1536U), outputs = 128;
  const std::size_t rows = GENERATE(1U, 3U, 16U, 37U);
  // The largest values, too: a sum in 16 bits must not overflow.
  const bool isLargest = GENERATE(false, true);
  std::vector<std::int8_t> packed = numbers.whole<std::int8_t>(inputs * outputs, -127, 255);
  std::vector<std::uint8_t> activations = numbers.whole<std::uint8_t>(rows * inputs, 1, 127);
  if (isLargest) {
    std::fill(activations.begin(), activations.end(), std::uint8_t{127});
    for (std::int8_t &each : packed) each = each < 0 ? -127 : 127;
  }
  const std::vector<float> scales(outputs, 1), bias(outputs, 0), rowScales(rows, 1);
  const std::vector<std::int32_t> zeros(outputs, 3);
  const MatrixView matrix{inputs, outputs, packed.data(), scales.data(), bias.data(), zeros.data()};
  std::vector<float> expected;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t output = 0; output < outputs; ++output) {
      std::int32_t sum = -3;
      for (std::size_t input = 0; input < inputs; ++input)
        sum += activations[row * inputs + input] *
               packed[(output / 16 * inputs + input / 4 * 4) * 16 + output % 16 * 4 + input % 4];
      expected.push_back(static_cast<float>(sum));
    }
  for (const Kernels *kernels : usableKernels()) {
    std::vector<float> to(rows * outputs);
    kernels->multiply(activations.data(), rowScales.data(), rows, matrix, to.data());
    CAPTURE(kernels->name, rows, inputs);
    CHECK(haveSameBytes(to, expected));
  }
}

TEST_CASE("everything else has the same bytes on every kind of processor") {
  Numbers numbers;
  constexpr std::size_t rows = 5, width = 192;
  const std::vector<float> x = numbers.floats(rows * width, 6), y = numbers.floats(rows * width, 1),
                           gain = numbers.floats(width, 2), shift = numbers.floats(width, 1);
  requireSameEverywhere([&](const Kernels &kernels) {
    std::vector<std::uint8_t> whole(rows * width);
    std::vector<float> scales(rows);
    kernels.quantise(x.data(), rows, width, whole.data(), scales.data());
    scales.insert(scales.end(), whole.begin(), whole.end());
    return scales;
  });
  requireSameEverywhere([&](const Kernels &kernels) {
    std::vector<float> to = x;
    kernels.addAndNormalise(to.data(), y.data(), rows, width, gain.data(), shift.data(), 1e-12F);
    return to;
  });
  for (const Activation activation : {Activation::Gelu, Activation::GeluTanh, Activation::Relu})
    requireSameEverywhere([&](const Kernels &kernels) {
      std::vector<float> to = x;
      kernels.activate(to.data(), to.size(), activation);
      return to;
    });
  for (const std::size_t tokens : {1U, 15U, 16U, 70U}) {
    const AttentionSizes sizes{tokens, 3, 32};
    const std::vector<float> from = numbers.floats(tokens * 3 * 3 * 32, 2);
    requireSameEverywhere([&](const Kernels &kernels) { return attended(kernels, from, sizes); });
  }
}

TEST_CASE("attention gives every token the values by their shares") {
  Numbers numbers;
  const AttentionSizes sizes{21, 2, 16};
  constexpr std::size_t width = 32;
  const std::vector<float> from = numbers.floats(sizes.tokens * 3 * width, 2);
  const std::vector<float> to = attended(portableKernels, from, sizes);
  double greatestDifference = 0;
  for (std::size_t head = 0; head < sizes.heads; ++head)
    for (std::size_t token = 0; token < sizes.tokens; ++token) {
      const auto at = [&](std::size_t row, std::size_t part, std::size_t d) {
        return static_cast<double>(from[row * 3 * width + part * width + head * 16 + d]);
      };
      std::vector<double> shares(sizes.tokens);
      double total = 0;
      for (std::size_t other = 0; other < sizes.tokens; ++other) {
        double product = 0;
        for (std::size_t d = 0; d < 16; ++d) product += at(token, 0, d) * at(other, 1, d);
        shares[other] = std::exp(product / 4);
        total += shares[other];
      }
      for (std::size_t d = 0; d < 16; ++d) {
        double value = 0;
        for (std::size_t other = 0; other < sizes.tokens; ++other)
          value += shares[other] / total * at(other, 2, d);
        greatestDifference =
            std::max(greatestDifference,
                     std::fabs(value - static_cast<double>(to[token * width + head * 16 + d])));
      }
    }
  CHECK(greatestDifference < 1e-5);
}

// Vectors that a server has kept stay valid as long as this number does.
TEST_CASE("the kernels give the same bytes as in earlier versions") {
  Numbers numbers;
  const AttentionSizes sizes{23, 4, 32};
  constexpr std::size_t width = 128;
  const std::vector<float> from = numbers.floats(sizes.tokens * 3 * width, 2),
                           gain = numbers.floats(width, 2), shift = numbers.floats(width, 1);
  for (const Kernels *kernels : usableKernels()) {
    std::vector<float> to = attended(*kernels, from, sizes);
    kernels->addAndNormalise(to.data(), from.data(), sizes.tokens, width, gain.data(), shift.data(),
                             1e-12F);
    kernels->activate(to.data(), to.size(), Activation::Gelu);
    std::vector<std::uint8_t> whole(to.size());
    std::vector<float> scales(sizes.tokens);
    kernels->quantise(to.data(), sizes.tokens, width, whole.data(), scales.data());
    std::uint64_t hash = 14695981039346656037U; // FNV-1a
    const auto add = [&hash](const void *bytes, std::size_t count) {
      for (std::size_t each = 0; each < count; ++each)
        hash = (hash ^ static_cast<const unsigned char *>(bytes)[each]) * 1099511628211U;
    };
    add(to.data(), to.size() * sizeof(float));
    add(whole.data(), whole.size());
    add(scales.data(), scales.size() * sizeof(float));
    CAPTURE(kernels->name);
    CHECK(hash == 0x8822b6a970300f50U);
  }
}
