// SPDX-License-Identifier: Apache-2.0
// A fast 128-bit hash (MurmurHash3 x64, an algorithm in the public domain). It distinguishes
// versions of a file, but does not protect against an attacker who chooses the bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skillhost::filesystem {

struct Digest {
  std::uint64_t high = 0, low = 0;
  friend bool operator==(const Digest &, const Digest &) = default;
};

// Returns 32 lower-case hexadecimal digits, without a terminator.
std::array<char, 32> hexadecimal(const Digest &digest) noexcept;

// The same bytes give the same digest however they are cut into calls of add().
class ContentHash {
public:
  void add(std::string_view bytes) noexcept;
  void add(std::uint64_t number) noexcept;
  // May be called once, last.
  Digest finish() noexcept;

private:
  void block(std::string_view sixteen) noexcept;

  std::uint64_t first_ = 0, second_ = 0, length_ = 0;
  std::array<char, 16> pending_{};
  std::size_t pendingSize_ = 0;
};

} // namespace skillhost::filesystem
