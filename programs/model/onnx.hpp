// SPDX-License-Identifier: Apache-2.0
// Reads the weights and the operations of a neural network from a file of the format ONNX, which is
// a message of Protocol Buffers. Everything else in the file is skipped.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace skillhost::model {

// Weights in 32-bit floats, little endian. The memory is that of the file.
struct OnnxWeights {
  std::vector<std::uint64_t> shape;
  std::string_view bytes; // as many as the shape needs
};
struct OnnxOperation {
  std::string_view name;
  std::vector<std::string_view> inputs, outputs;
};
struct OnnxGraph {
  std::map<std::string_view, OnnxWeights> weights; // those of other types are left out
  std::vector<OnnxOperation> operations;
};

// The result borrows `file`. Throws std::runtime_error if the file is damaged or has weights in
// another file. Any thread may call it.
OnnxGraph readOnnx(std::string_view file);

} // namespace skillhost::model
