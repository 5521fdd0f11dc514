// SPDX-License-Identifier: Apache-2.0
// Turns texts into vectors of length one, which point in similar directions for texts of similar
// meaning. It runs a model of BERT's form with weights in 8 bits, which take about a quarter of the
// file's size in memory, without any library.
#pragma once

#include "kernels/kernels.hpp"
#include "model_folder.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::embedding {

// Returns the kernels to use: "auto" is the fastest that this processor supports; the others are
// "portable", "avx2", "avx512" and "neon". Throws skh::Error(SKH_INVALID) if this processor or this
// build does not support them.
const Kernels &kernelsCalled(std::string_view name);
// Kernels from which "auto" chooses here, the fastest first; "portable" is the last.
std::vector<const Kernels *> usableKernels();

class Encoder {
public:
  // Memory of one call in addition to the weights. It grows with the longest text. One thread at a
  // time.
  class Workspace {
  public:
    Workspace();
    Workspace(Workspace &&) noexcept;
    Workspace &operator=(Workspace &&) noexcept;
    ~Workspace();

  private:
    friend class Encoder;
    struct Buffers;
    std::unique_ptr<Buffers> buffers_;
  };

  // Reads a folder in the form of sentence-transformers. Throws skh::Error(SKH_INVALID) that names
  // the file and its fault, std::bad_alloc, and what `checkpoint` throws, which is called every few
  // milliseconds.
  Encoder(
      const std::string &folder, const Kernels &kernels,
      const std::function<void()> &checkpoint = [] {});
  Encoder(Encoder &&) noexcept;
  ~Encoder();

  // Returns the vector of a text, of which at most description().maxTokens tokens are read. Any
  // number of threads may call it, each with its own workspace. Throws skh::Error(SKH_INVALID) if
  // the weights give values that are not finite, and std::bad_alloc.
  std::vector<float> embed(std::string_view text, Workspace &workspace) const;
  std::vector<float> embed(const std::vector<std::uint32_t> &tokens, Workspace &workspace) const;

  const ModelDescription &description() const noexcept;
  const Tokenizer &pieces() const noexcept;

private:
  struct Weights;
  std::unique_ptr<const Weights> weights_;
};

} // namespace skillhost::embedding
