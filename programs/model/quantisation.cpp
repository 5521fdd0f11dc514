// SPDX-License-Identifier: Apache-2.0
#include "quantisation.hpp"

#include "embedding/quantised_rows.hpp"
#include "embedding/safetensors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
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

// Collects the tensors of a new file.
class Weights {
public:
  template <class Number>
  void add(const std::string &name, const char *type, const Shape &shape,
           const std::vector<Number> &numbers) {
    const std::size_t begin = data_.size();
    data_.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(Number));
    header_[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
  }
  std::string file() const {
    std::string text = header_.dump();
    // Numbers begin at a multiple of their size, as the format has it.
    while (text.size() % sizeof(std::uint64_t) != 0) text += ' ';
    const std::uint64_t length = text.size();
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length); // little endian, like all supported machines
    return file + text + data_;
  }

private:
  nlohmann::json header_{{"__metadata__", {{"format", "pt"}}}};
  std::string data_;
};

} // namespace

std::string quantised(const std::string &path, const std::function<void()> &checkpoint) {
  constexpr std::uint64_t rowsAtOnce = 1024;
  const embedding::Safetensors from(path);
  Weights to;
  const auto all = from.floats();
  // Floats come first, so that the whole numbers of one byte do not move them.
  for (const auto &[name, shape] : all) {
    checkpoint();
    if (isNeeded(name) && !isConverted(name, shape))
      to.add(name, "F32", shape, from.read(name, shape));
  }
  std::map<std::string, std::vector<std::int8_t>> values;
  for (const auto &[name, shape] : all) {
    if (!isNeeded(name) || !isConverted(name, shape)) continue;
    std::vector<float> scales;
    for (std::uint64_t first = 0; first < shape[0]; first += rowsAtOnce) {
      checkpoint();
      const embedding::QuantisedRows rows = embedding::readQuantised(
          from, name, shape, first, std::min(rowsAtOnce, shape[0] - first));
      values[name].insert(values[name].end(), rows.values.begin(), rows.values.end());
      scales.insert(scales.end(), rows.scales.begin(), rows.scales.end());
    }
    to.add(name + std::string(embedding::scaleEnding), "F32", {shape[0]}, scales);
  }
  for (const auto &[name, numbers] : values) to.add(name, "I8", all.at(name), numbers);
  return to.file();
}

} // namespace skillhost::model
