// SPDX-License-Identifier: Apache-2.0
// Reads weights from a file in Hugging Face's format "safetensors": a JSON header that names
// tensors and their places, followed by their bytes. Everything is checked first, because strangers
// may have written the file.
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
  // Reads only the header. Throws skh::Error(SKH_INVALID) that names the file and its fault.
  explicit Safetensors(const std::string &path);
  Safetensors(const Safetensors &) = delete;
  Safetensors &operator=(const Safetensors &) = delete;
  ~Safetensors();

  bool has(std::string_view name) const;
  // Throws skh::Error(SKH_INVALID) if there is no such tensor, or its shape differs.
  void require(std::string_view name, const std::vector<std::uint64_t> &shape) const {
    find(name, shape);
  }
  // Reads rows of a tensor of this shape as floats into `to`, which must have room for them. The
  // type in the file must be F32, F16 or BF16. Throws skh::Error(SKH_INVALID) if there is no such
  // tensor, its shape differs, it is cut off, or a number is not finite.
  void read(std::string_view name, const std::vector<std::uint64_t> &shape, std::uint64_t firstRow,
            std::uint64_t rows, float *to) const;
  // Reads all rows.
  std::vector<float> read(std::string_view name, const std::vector<std::uint64_t> &shape) const;

  // True if there is such a tensor of the type I8.
  bool isWhole(std::string_view name) const;
  // Reads rows of a tensor of the type I8. Otherwise the same as read().
  void readWhole(std::string_view name, const std::vector<std::uint64_t> &shape,
                 std::uint64_t firstRow, std::uint64_t rows, std::int8_t *to) const;

  // The shapes of the tensors of floats, by name.
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> floats() const;

  // Number of tensors in the header, for tests and fuzzers.
  std::size_t count() const noexcept { return tensors_.size(); }

private:
  struct Tensor {
    enum class Type : std::uint8_t { Other, Whole, F16, BF16, F32 };
    Type type = Type::Other; // Whole: I8
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0; // offset in the file
  };
  void readHeader();
  const Tensor &find(std::string_view name, const std::vector<std::uint64_t> &shape) const;
  void readBytes(std::string_view name, std::uint64_t begin, std::size_t bytes, void *to) const;
  [[noreturn]] void refuse(const std::string &why) const;

  std::string path_;
  int file_ = -1;
  std::map<std::string, Tensor, std::less<>> tensors_;
};

} // namespace skillhost::embedding
