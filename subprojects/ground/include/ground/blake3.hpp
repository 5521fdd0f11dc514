// SPDX-License-Identifier: Apache-2.0
// BLAKE3 by its authors' own C code: plain, keyed, and derived from a context.
#pragma once

#include "ground/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace skillhost {

// One computation. What the key and the last bytes were is wiped with it. A thread at a time.
class Blake3 {
public:
  using Digest = std::array<std::uint8_t, 32>;
  using Key = std::array<std::uint8_t, 32>;

  Blake3() noexcept;
  explicit Blake3(const Key &key) noexcept;
  // Of a text that no other use shares, and that never changes.
  explicit Blake3(const char *context) noexcept;
  ~Blake3();
  Blake3(const Blake3 &) = delete;
  Blake3 &operator=(const Blake3 &) = delete;

  void add(std::string_view bytes) noexcept;
  // Of all that was added so far.
  Digest finish() const noexcept;

private:
  alignas(std::max_align_t) std::array<std::byte, 1920> state_; // the library's, in place
};

// As 64 lower-case hexadecimal digits. Any thread.
std::string blake3Hex(std::string_view bytes);
// The same of a file's content. NotFound when it cannot be read.
Result<std::string> blake3OfFile(const std::string &path);
// The same of an open file, which `path` names in the failure. Its position is left alone.
Result<std::string> blake3OfDescriptor(int descriptor, const std::string &path);

// A digest that only the holder of the key can make, for secrets that are to be recognised and not
// kept; nothing of what was hashed stays in memory.
class Blake3Key {
public:
  using Digest = Blake3::Digest;
  struct Hash { // of a digest, which is random enough as it is
    std::size_t operator()(const Digest &digest) const noexcept;
  };

  // Of the kernel's random numbers: another one in every process. Throws std::system_error when
  // there are none.
  static Blake3Key random();
  // Of a secret that several processes know: the same in all of them. `context` is as above.
  static Blake3Key derived(const char *context, std::string_view secret) noexcept;
  // Of the parts in their order; where one ends and the next begins counts. Any thread.
  Digest digest(std::span<const std::string_view> parts) const noexcept;

private:
  Blake3Key() = default;
  Blake3::Key key_{};
};

} // namespace skillhost
