// SPDX-License-Identifier: Apache-2.0
#include "weights_file.hpp"

#include <cstring>
#include <utility>

namespace skillhost::model {

void WeightsFile::add(const std::string &name, const Shape &shape,
                      const std::vector<float> &numbers) {
  const std::size_t begin = floats_.size();
  floats_.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(float));
  header_[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, floats_.size()}}};
}

void WeightsFile::add(const std::string &name, const Shape &shape, embedding::QuantisedRows rows) {
  add(name + std::string(embedding::scaleEnding), {shape.at(0)}, rows.scales);
  matrices_[name] = {shape, std::move(rows.values)};
}

std::string WeightsFile::bytes() const {
  nlohmann::json header = header_;
  std::size_t end = floats_.size();
  for (const auto &[name, matrix] : matrices_) {
    const std::size_t begin = end;
    end += matrix.values.size();
    header[name] = {{"dtype", "I8"}, {"shape", matrix.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  // Numbers begin at a multiple of their size, as the format has it.
  while (text.size() % sizeof(std::uint64_t) != 0) text += ' ';
  const std::uint64_t length = text.size();
  std::string file;
  file.reserve(sizeof length + text.size() + end);
  file.append(reinterpret_cast<const char *>(&length),
              sizeof length); // little endian, like all supported machines
  file += text;
  file += floats_;
  for (const auto &[name, matrix] : matrices_)
    file.append(reinterpret_cast<const char *>(matrix.values.data()), matrix.values.size());
  return file;
}

} // namespace skillhost::model
