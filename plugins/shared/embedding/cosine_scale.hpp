// SPDX-License-Identifier: Apache-2.0
// Makes the cosines of different models comparable. The vectors of a question and of a text that
// have nothing to do with each other have a cosine near 0 in all-MiniLM-L6-v2, near 0.4 in
// bge-small-en-v1.5 and near 0.75 in e5-small-v2. So a cosine means little without its model.
#pragma once

#include "encoder.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace skillhost::embedding {

// Immutable, so that any number of threads may use it.
class CosineScale {
public:
  // Takes the cosines of questions and texts that have nothing to do with each other, at least one.
  explicit CosineScale(std::vector<double> cosines);
  // Takes their vectors of length one, and compares each question with each text. The order does
  // not matter. Throws std::invalid_argument if there are none, or if their lengths differ.
  CosineScale(const std::vector<std::vector<float>> &questions,
              const std::vector<std::vector<float>> &texts);

  // Returns the cosine below which this share (from 0 to 1) of the pairs lies.
  double quantile(double share) const;
  // Returns 0 for the median of the pairs and 1 for two equal texts, and what lies in between in
  // proportion. It is negative below the median. Models agree on this number far better than on
  // cosines.
  double relativeOf(double cosine) const;
  // Reverses relativeOf().
  double cosineOf(double relative) const;

private:
  std::vector<double> cosines_; // sorted
};

// Measures the scale of a model with 24 everyday questions and 24 descriptions of skills that this
// library brings along, in English. The same model and prefixes give the same scale on every
// processor. Takes as long as 48 short texts. `checkpoint` is called for each and may throw.
CosineScale measureScale(
    const Encoder &encoder, const std::string &queryPrefix, const std::string &passagePrefix,
    const std::function<void()> &checkpoint = [] {});

} // namespace skillhost::embedding
