// SPDX-License-Identifier: Apache-2.0
// Converts a model of BERT's form from an ONNX file to the folder that the plugin hybrid reads. The
// weights stay the same 32-bit floats.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::model {

// The properties of a model that its package does not have.
struct ConversionFacts {
  std::uint64_t heads = 0;
  bool usesMean = false; // the vector of a text is the mean of all tokens, not that of [CLS]
  std::string_view queryPrefix, passagePrefix;
};

struct ConvertedFile {
  std::string path; // in the folder
  std::string bytes;
};

struct ModelSizes {
  std::uint64_t layers = 0, width = 0, innerWidth = 0, vocabulary = 0, positions = 0, types = 0;
};
// Returns the files in JSON, except the one about the tokenizer.
std::vector<ConvertedFile> configurationFiles(const ModelSizes &sizes,
                                              const ConversionFacts &facts);

// `onnx` was exported by PyTorch, and `tokenizer` is a tokenizer.json of WordPiece. The same input
// always gives the same bytes. `checkpoint` is called every few milliseconds and may throw. Throws
// std::runtime_error if something is missing or is of another form. Any thread may call it.
std::vector<ConvertedFile> convertFromOnnx(std::string_view onnx, std::string_view tokenizer,
                                           const ConversionFacts &facts,
                                           const std::function<void()> &checkpoint);

} // namespace skillhost::model
