// SPDX-License-Identifier: Apache-2.0
// BLAKE3 by its authors' own C code: the digest by which plugin files are known, and its keyed
// form, by which secrets are recognised that nobody keeps.
#pragma once

#include "ground/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace skillhost {

// 64 lower-case hexadecimal digits. Any thread.
std::string blake3Hex(std::string_view bytes);
// The same of a file's content. NotFound when it cannot be read.
Result<std::string> blake3OfFile(const std::string &path);
// The same of an open file, which `path` names in the failure. Its position is left alone.
Result<std::string> blake3OfDescriptor(int descriptor, const std::string &path);

// A digest that only the holder of the key can make; nothing of what was hashed stays in memory.
class Blake3Key {
public:
  using Digest = std::array<std::uint8_t, 32>;
  struct Hash { // of a digest, which is random enough as it is
    std::size_t operator()(const Digest &digest) const noexcept;
  };

  // Of the kernel's random numbers: another one in every process. Throws std::system_error when
  // there are none.
  static Blake3Key random();
  // Of the parts in their order; where one ends and the next begins counts. Any thread.
  Digest digest(std::span<const std::string_view> parts) const noexcept;

private:
  Blake3Key() = default;
  std::array<std::uint8_t, 32> key_{};
};

} // namespace skillhost
