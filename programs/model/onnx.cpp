// SPDX-License-Identifier: Apache-2.0
#include "onnx.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace skillhost::model {
namespace {

// Numbers of the fields in onnx.proto.
constexpr std::uint64_t graphOfModel = 7;
constexpr std::uint64_t nodeOfGraph = 1, initializerOfGraph = 5;
constexpr std::uint64_t inputOfNode = 1, outputOfNode = 2, typeOfNode = 4;
constexpr std::uint64_t dimensionsOfTensor = 1, dataTypeOfTensor = 2, nameOfTensor = 8,
                        rawDataOfTensor = 9, locationOfTensor = 14;
constexpr std::uint64_t floatType = 1;
constexpr std::size_t maxDimensions = 8;

[[noreturn]] void refuseFile(const std::string &why) {
  throw std::runtime_error("the ONNX file " + why);
}

// The fields of a message, one after the other.
class Message {
public:
  explicit Message(std::string_view bytes) : rest_(bytes) {}

  // Moves to the next field. Returns false at the end.
  bool next() {
    if (rest_.empty()) return false;
    const std::uint64_t key = number();
    field_ = key >> 3U;
    isBytes_ = (key & 7U) == 2;
    switch (key & 7U) {
    case 0:
      value_ = number();
      break;
    case 1:
      skip(8);
      break;
    case 2:
      skip(number());
      break;
    case 5:
      skip(4);
      break;
    default:
      refuseFile("is damaged: it has a field of an unknown kind");
    }
    return true;
  }
  std::uint64_t field() const { return field_; }
  bool isBytes() const { return isBytes_; }
  std::uint64_t value() const { return value_; }
  std::string_view bytes() const {
    if (!isBytes_) refuseFile("is damaged: a field is of the wrong kind");
    return bytes_;
  }
  // Returns the number that begins at the current place, and moves behind it.
  std::uint64_t number() {
    constexpr unsigned maxBits = 64, bitsEach = 7;
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < maxBits && !rest_.empty(); shift += bitsEach) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    refuseFile("is cut off, or damaged");
  }
  bool hasMore() const { return !rest_.empty(); }

private:
  void skip(std::uint64_t count) {
    if (count > rest_.size()) refuseFile("is cut off, or damaged");
    bytes_ = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(static_cast<std::size_t>(count));
  }

  std::string_view rest_, bytes_;
  std::uint64_t field_ = 0, value_ = 0;
  bool isBytes_ = false;
};

OnnxOperation readOperation(std::string_view bytes) {
  OnnxOperation operation;
  for (Message message(bytes); message.next();) {
    if (message.field() == inputOfNode)
      operation.inputs.push_back(message.bytes());
    else if (message.field() == outputOfNode)
      operation.outputs.push_back(message.bytes());
    else if (message.field() == typeOfNode)
      operation.name = message.bytes();
  }
  return operation;
}

// Returns the name and the weights; nothing for weights of another type.
std::optional<std::pair<std::string_view, OnnxWeights>> readWeights(std::string_view bytes) {
  OnnxWeights weights;
  std::string_view name;
  bool isFloat = false;
  for (Message message(bytes); message.next();) {
    if (message.field() == dimensionsOfTensor && message.isBytes())
      for (Message packed(message.bytes()); packed.hasMore();)
        weights.shape.push_back(packed.number());
    else if (message.field() == dimensionsOfTensor)
      weights.shape.push_back(message.value());
    else if (message.field() == dataTypeOfTensor)
      isFloat = message.value() == floatType;
    else if (message.field() == nameOfTensor)
      name = message.bytes();
    else if (message.field() == rawDataOfTensor)
      weights.bytes = message.bytes();
    else if (message.field() == locationOfTensor && message.value() != 0)
      refuseFile("has weights in another file");
  }
  if (!isFloat) return std::nullopt;
  if (weights.shape.size() > maxDimensions) refuseFile("is damaged: weights have no shape");
  std::uint64_t expected = sizeof(float);
  for (const std::uint64_t each : weights.shape)
    if (__builtin_mul_overflow(expected, each, &expected))
      refuseFile("is damaged: weights are too large");
  if (weights.bytes.size() != expected)
    refuseFile("is damaged: the weights " + std::string(name) + " have " +
               std::to_string(weights.bytes.size()) + " bytes, not " + std::to_string(expected));
  return std::pair(name, std::move(weights));
}

} // namespace

OnnxGraph readOnnx(std::string_view file) {
  OnnxGraph graph;
  for (Message model(file); model.next();) {
    if (model.field() != graphOfModel) continue;
    for (Message message(model.bytes()); message.next();) {
      if (message.field() == nodeOfGraph) {
        graph.operations.push_back(readOperation(message.bytes()));
      } else if (message.field() == initializerOfGraph) {
        if (auto weights = readWeights(message.bytes())) graph.weights.insert(std::move(*weights));
      }
    }
  }
  return graph;
}

} // namespace skillhost::model
