// SPDX-License-Identifier: Apache-2.0
// The models that `model fetch` installs: their packages, and the files that it makes of them.
#pragma once

#include "conversion.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace skillhost::model {

struct PinnedFile {
  std::string_view path; // in the model's folder
  std::uint64_t bytes = 0;
  std::string_view sha256;
  // The path in the package; empty for a file that is made by the conversion.
  std::string_view pathInPackage = {};
  // The digest in the package, if the weights of the file are quantised; empty if the file stays as
  // it is.
  std::string_view sha256InPackage = {};
};

// A package with a model that is converted.
struct OnnxPackage {
  std::string_view sha256;          // of the whole package
  std::string_view onnx, tokenizer; // paths in the package
  ConversionFacts facts;
};

// A Python package with a model in 4 bits that is converted.
struct FourBitsPackage {
  std::string_view path;   // in the package
  std::string_view sha256; // of that file
  ConversionFacts facts;
  std::string_view platform; // of the wheel; its program is not used, so any platform will do
};

struct PinnedModel {
  std::string_view key;              // for the option --model
  std::string_view name;             // also the name of its folder
  std::string_view package, version; // in an index of Python packages or a Maven repository
  std::string_view originUrl;
  std::string_view licence;                  // of the weights, with its address and the authors
  std::string_view packageLicence;           // with the package's authors
  std::span<const PinnedFile> files;         // all that the plugin reads, and a licence
  std::uint64_t packageBytes = 0;            // approximate for a Python package
  const OnnxPackage *onnx = nullptr;         // of a Maven repository; null: a Python package
  const FourBitsPackage *fourBits = nullptr; // null: the package has the files themselves
};

// All models. The first is the default.
std::span<const PinnedModel> pinnedModels() noexcept;

// Returns the model with this key, which must exist. Throws std::out_of_range.
const PinnedModel &pinnedModelFor(std::string_view key);
// Returns the model of this name, or null.
const PinnedModel *pinnedModelCalled(std::string_view name) noexcept;

// A file beside the model: it says that `fetch` made the folder, and for which model.
inline constexpr std::string_view recordFile = "skillhost-model.json";
inline constexpr std::string_view licenceFile = "LICENCE.txt";

} // namespace skillhost::model
