// SPDX-License-Identifier: Apache-2.0
#include "quantisation.hpp"

#include "embedding/quantised_rows.hpp"
#include "embedding/safetensors.hpp"
#include "weights_file.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::model {
namespace {

using Shape = std::vector<std::uint64_t>;

bool isNeeded(std::string_view name) {
  if (name.starts_with("bert.")) name.remove_prefix(5);
  return name.starts_with("embeddings.") || name.starts_with("encoder.");
}

// True for the tensors that hybrid converts to 8 bits.
bool isConverted(std::string_view name, const Shape &shape) {
  return shape.size() == 2 && name.ends_with(".weight") &&
         (name.find("encoder.") != std::string_view::npos ||
          name.ends_with("word_embeddings.weight"));
}

} // namespace

std::string quantised(const std::string &path, const std::function<void()> &checkpoint) {
  constexpr std::uint64_t rowsAtOnce = 1024;
  const embedding::Safetensors from(path);
  WeightsFile to;
  const auto all = from.floats();
  for (const auto &[name, shape] : all) {
    checkpoint();
    if (isNeeded(name) && !isConverted(name, shape)) to.add(name, shape, from.read(name, shape));
  }
  for (const auto &[name, shape] : all) {
    if (!isNeeded(name) || !isConverted(name, shape)) continue;
    embedding::QuantisedRows whole;
    for (std::uint64_t first = 0; first < shape[0]; first += rowsAtOnce) {
      checkpoint();
      const embedding::QuantisedRows rows = embedding::readQuantised(
          from, name, shape, first, std::min(rowsAtOnce, shape[0] - first));
      whole.values.insert(whole.values.end(), rows.values.begin(), rows.values.end());
      whole.scales.insert(whole.scales.end(), rows.scales.begin(), rows.scales.end());
    }
    to.add(name, shape, std::move(whole));
  }
  return to.bytes();
}

} // namespace skillhost::model
