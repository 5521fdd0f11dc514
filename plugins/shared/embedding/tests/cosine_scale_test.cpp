// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "embedding/cosine_scale.hpp"
#include "small_model.hpp"
#include "temporary_folder.hpp"

#include <algorithm>
#include <stdexcept>

using namespace skillhost::embedding;

TEST_CASE("a scale begins at the median of unrelated texts and ends at equal ones") {
  const CosineScale scale({0.7, 0.5, 0.6, 0.8, 0.9});
  CHECK(scale.quantile(0) == 0.5);
  CHECK(scale.quantile(0.5) == 0.7);
  CHECK(scale.quantile(0.625) == Approx(0.75));
  CHECK(scale.quantile(1) == 0.9);
  CHECK(scale.quantile(7) == 0.9);
  CHECK(scale.relativeOf(0.7) == 0);
  CHECK(scale.relativeOf(0.85) == Approx(0.5));
  CHECK(scale.relativeOf(1) == Approx(1));
  CHECK(scale.relativeOf(0.4) == Approx(-1));
  for (const double cosine : {-0.2, 0.7, 0.93})
    CHECK(scale.cosineOf(scale.relativeOf(cosine)) == Approx(cosine));
  CHECK(CosineScale({1}).relativeOf(1) == 0);
  CHECK_THROWS_AS(CosineScale(std::vector<double>{}), std::invalid_argument);
}

TEST_CASE("a scale compares each question with each text, in any order") {
  std::vector<std::vector<float>> questions{{1, 0}, {0.6F, 0.8F}},
      texts{{0, 1}, {1, 0}, {0.8F, 0.6F}};
  const CosineScale scale(questions, texts);
  // The cosines are 0, 1, 0.8, 0.8, 0.6 and 0.96.
  CHECK(scale.quantile(0) == Approx(0).margin(1e-6));
  CHECK(scale.quantile(0.2) == Approx(0.6));
  CHECK(scale.quantile(0.5) == Approx(0.8));
  CHECK(scale.quantile(0.8) == Approx(0.96));
  std::reverse(questions.begin(), questions.end());
  std::reverse(texts.begin(), texts.end());
  CHECK(CosineScale(questions, texts).quantile(0.3) == scale.quantile(0.3));
  texts.push_back({1, 0, 0});
  CHECK_THROWS_AS(CosineScale(questions, texts), std::invalid_argument);
}

TEST_CASE("the scale of a model is the same on every kind of processor") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  const CosineScale expected = measureScale(Encoder(folder.path(), portableKernels), "query: ", "");
  CHECK(expected.quantile(0) < expected.quantile(1));
  CHECK(expected.quantile(1) < 1.0001);
  for (const Kernels *kernels : usableKernels()) {
    CAPTURE(kernels->name);
    const CosineScale scale = measureScale(Encoder(folder.path(), *kernels), "query: ", "");
    for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0})
      CHECK(scale.quantile(share) == expected.quantile(share));
  }
  // Prefixes belong to the texts. A checkpoint may end the work.
  const Encoder encoder(folder.path(), portableKernels);
  CHECK(measureScale(encoder, "a cat ", "").quantile(0.5) != expected.quantile(0.5));
  int texts = 0;
  measureScale(encoder, "", "", [&texts] { ++texts; });
  CHECK(texts == 48);
}
