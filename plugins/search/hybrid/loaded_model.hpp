// SPDX-License-Identifier: Apache-2.0
// A model in memory. Instances in one process share it, because a server may have an instance for
// each group of callers.
#pragma once

#include "embedding/encoder.hpp"
#include "ground/blake3.hpp"

#include <functional>
#include <memory>
#include <string>

namespace skillhost::hybrid {

struct LoadedModel {
  const embedding::Kernels &kernels;
  embedding::Encoder encoder;
  Blake3::Digest digest; // of the files, and of our arithmetic: vectors of equal digests are equal
};

// Returns the model in the folder. Reads it unless another instance has one with the same digest.
// Throws what embedding::Encoder throws, skh::Error(SKH_INVALID) if the weights give no vector for
// a word, and SKH_UNAVAILABLE if the files changed meanwhile. Any thread may call it.
std::shared_ptr<const LoadedModel> loadModel(const std::string &folder,
                                             const std::string &instructions,
                                             const std::function<void()> &checkpoint);

} // namespace skillhost::hybrid
