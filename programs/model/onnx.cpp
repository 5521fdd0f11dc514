// SPDX-License-Identifier: Apache-2.0
#include "onnx.hpp"

#include "embedding/protocol_message.hpp"

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

constexpr std::string_view onnxFile = "the ONNX file"; // begins messages

[[noreturn]] void refuseFile(const std::string &why) {
  throw std::runtime_error(std::string(onnxFile) + " " + why);
}

class Message : public embedding::ProtocolMessage {
public:
  explicit Message(std::string_view bytes) : ProtocolMessage(bytes, onnxFile) {}
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
