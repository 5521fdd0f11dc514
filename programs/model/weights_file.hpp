// SPDX-License-Identifier: Apache-2.0
// Makes a file model.safetensors, whose matrices have 8 bits.
#pragma once

#include "embedding/quantised_rows.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skillhost::model {

// The same tensors in the same order always give the same bytes. One thread at a time.
class WeightsFile {
public:
  using Shape = std::vector<std::uint64_t>;

  void add(const std::string &name, const Shape &shape, const std::vector<float> &numbers);
  void add(const std::string &name, const Shape &shape, embedding::QuantisedRows rows);
  std::string bytes() const;

private:
  struct Matrix {
    Shape shape;
    std::vector<std::int8_t> values;
  };

  nlohmann::json header_{{"__metadata__", {{"format", "pt"}}}}; // of the floats
  std::string floats_;
  // These come last, so that whole numbers of one byte do not move the floats.
  std::map<std::string, Matrix> matrices_;
};

} // namespace skillhost::model
