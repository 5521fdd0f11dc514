// SPDX-License-Identifier: Apache-2.0
// Texts to vectors of length one: those of texts that mean alike point alike. A model of BERT's
// form with its weights in 8 bits, about a quarter of its file in memory, without any library.
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

// Which instructions are used: "auto" for the fastest that this processor has, or one of
// "portable", "avx2", "avx512", "neon". Throws skh::Error(SKH_INVALID) for one that this processor
// or this build does not have.
const Kernels &kernelsCalled(std::string_view name);
// What "auto" chooses from here, the fastest first; "portable" is the last.
std::vector<const Kernels *> usableKernels();

class Encoder {
public:
  // What one call needs beside the weights; grows with the longest text. One thread at a time.
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

  // Reads a folder as sentence-transformers writes it. Throws skh::Error(SKH_INVALID), which names
  // the file and what is wrong, std::bad_alloc, and what `checkpoint` does, which is called every
  // few milliseconds.
  Encoder(
      const std::string &folder, const Kernels &kernels,
      const std::function<void()> &checkpoint = [] {});
  Encoder(Encoder &&) noexcept;
  ~Encoder();

  // The vector of a text, of which at most description().mostTokens tokens are read. Any number of
  // threads, each with a workspace of its own. Throws skh::Error(SKH_INVALID) when the weights lead
  // to what is no number, and std::bad_alloc.
  std::vector<float> embed(std::string_view text, Workspace &workspace) const;
  std::vector<float> embed(const std::vector<std::uint32_t> &tokens, Workspace &workspace) const;

  const ModelDescription &description() const noexcept;
  const WordPiece &pieces() const noexcept;

private:
  struct Weights;
  std::unique_ptr<const Weights> weights_;
};

} // namespace skillhost::embedding
