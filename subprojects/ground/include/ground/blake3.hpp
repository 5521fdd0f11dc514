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

// Computes one digest. With a key or a context the bytes may be secret, so the destructor wipes the
// key and the last bytes. Only one thread may use an object at a time.
class Blake3 {
public:
  using Digest = std::array<std::uint8_t, 32>;
  using Key = std::array<std::uint8_t, 32>;

  Blake3() noexcept;
  explicit Blake3(const Key &key) noexcept;
  // `context` must never change, and no other use may share it.
  explicit Blake3(const char *context) noexcept;
  ~Blake3();
  Blake3(const Blake3 &) = delete;
  Blake3 &operator=(const Blake3 &) = delete;

  void add(std::string_view bytes) noexcept;
  // Returns the digest of everything added so far.
  Digest finish() const noexcept;

private:
  alignas(std::max_align_t) std::array<std::byte, 1920> state_; // state of the library, in place
  const bool isSecret_ = false;
};

// Returns the digest as 64 lower-case hexadecimal digits. May be called on any thread.
std::string blake3Hex(std::string_view bytes);
// Returns the digest of a file's content. NotFound if it cannot be read.
Result<std::string> blake3OfFile(const std::string &path);
// Returns the digest of an open file, whose name for failures is `path`. The position of the file
// stays the same.
Result<std::string> blake3OfDescriptor(int descriptor, const std::string &path);

// Makes digests that need the key, to recognise secrets without storing them. It leaves no hashed
// text in memory.
class Blake3Key {
public:
  using Digest = Blake3::Digest;
  struct Hash { // takes a part of the digest, which is random
    std::size_t operator()(const Digest &digest) const noexcept;
  };

  // Makes a key from the kernel's random numbers, different in each process. Throws
  // std::system_error if there are none.
  static Blake3Key random();
  // Derives a key from a secret that several processes share; it is equal in all of them. `context`
  // is as above.
  static Blake3Key derived(const char *context, std::string_view secret) noexcept;
  // Returns the digest of the parts in their order. The boundaries between parts count. May be
  // called on any thread.
  Digest digest(std::span<const std::string_view> parts) const noexcept;

private:
  Blake3Key() = default;
  Blake3::Key key_{};
};

} // namespace skillhost
