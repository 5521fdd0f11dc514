// SPDX-License-Identifier: Apache-2.0
// Weights in a file of Hugging Face's format "safetensors": a header of JSON that names tensors and
// where they lie, then their bytes. What is read is checked first; the file may be anybody's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::embedding {

class Safetensors {
public:
  // Reads the header alone. Throws skh::Error(SKH_INVALID), which names the file and what is wrong.
  explicit Safetensors(const std::string &path);
  Safetensors(const Safetensors &) = delete;
  Safetensors &operator=(const Safetensors &) = delete;
  ~Safetensors();

  bool has(std::string_view name) const;
  // Rows of a tensor of this shape, as floats, to `to`, which has room for them. The type in the
  // file is F32, F16 or BF16. Throws skh::Error(SKH_INVALID) when there is no such tensor, its
  // shape is another, it is cut off, or a number is not finite.
  void read(std::string_view name, const std::vector<std::uint64_t> &shape, std::uint64_t firstRow,
            std::uint64_t rows, float *to) const;
  // All of it.
  std::vector<float> read(std::string_view name, const std::vector<std::uint64_t> &shape) const;

  // What is told of a header, for tests and fuzzers.
  std::size_t count() const noexcept { return tensors_.size(); }

private:
  struct Tensor {
    std::size_t bytesEach = 0; // of a number
    bool brain = false;        // BF16, not F16
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0; // in the file
  };
  void readHeader();
  [[noreturn]] void refuse(const std::string &why) const;

  std::string path_;
  int file_ = -1;
  std::map<std::string, Tensor, std::less<>> tensors_;
};

} // namespace skillhost::embedding
