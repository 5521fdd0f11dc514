// SPDX-License-Identifier: Apache-2.0
#include "ground/blake3.hpp"

#include "ground/random.hpp"

#include <blake3.h>

#include <fcntl.h>
#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t pieceBytes = 256U << 10U;

// The library's own functions leave what they have hashed on the stack, where they were.
[[gnu::noinline]] void wipeStackBelow() noexcept {
  std::array<char, 8192> below; // NOLINT(cppcoreguidelines-pro-type-member-init): written next
  ::explicit_bzero(below.data(), below.size());
}

// At its first use the library finds out what the processor can do, and keeps that in a variable
// that it does not guard: let that be over before two threads use it.
void learnProcessor() noexcept {
  static const bool isKnown = [] {
    blake3_hasher hasher;
    blake3_hasher_init(&hasher);
    std::array<std::uint8_t, BLAKE3_OUT_LEN> unused{};
    blake3_hasher_finalize(&hasher, unused.data(), unused.size());
    return true;
  }();
  static_cast<void>(isKnown);
}

std::string hexOf(const blake3_hasher &hasher) {
  std::array<std::uint8_t, BLAKE3_OUT_LEN> digest{};
  blake3_hasher_finalize(&hasher, digest.data(), digest.size());
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(digest.size() * 2);
  for (const std::uint8_t byte : digest) {
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

} // namespace

std::string blake3Hex(std::string_view bytes) {
  learnProcessor();
  blake3_hasher hasher;
  blake3_hasher_init(&hasher);
  blake3_hasher_update(&hasher, bytes.data(), bytes.size());
  return hexOf(hasher);
}

Result<std::string> blake3OfFile(const std::string &path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return {Fault::NotFound, path + ": " + std::generic_category().message(errno)};
  Result<std::string> digest = blake3OfDescriptor(descriptor, path);
  ::close(descriptor);
  return digest;
}

Result<std::string> blake3OfDescriptor(int descriptor, const std::string &path) {
  learnProcessor();
  blake3_hasher hasher;
  blake3_hasher_init(&hasher);
  std::vector<char> piece(pieceBytes);
  for (off_t at = 0;;) {
    const ssize_t size = ::pread(descriptor, piece.data(), piece.size(), at);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return {Fault::NotFound, path + ": " + std::generic_category().message(errno)};
    if (size == 0) return hexOf(hasher);
    blake3_hasher_update(&hasher, piece.data(), static_cast<std::size_t>(size));
    at += size;
  }
}

std::size_t Blake3Key::Hash::operator()(const Digest &digest) const noexcept {
  std::size_t value = 0;
  std::memcpy(&value, digest.data(), sizeof value);
  return value;
}

Blake3Key Blake3Key::random() {
  Blake3Key made;
  fillRandom(made.key_);
  return made;
}

Blake3Key::Digest Blake3Key::digest(std::span<const std::string_view> parts) const noexcept {
  learnProcessor();
  blake3_hasher hasher;
  blake3_hasher_init_keyed(&hasher, key_.data());
  for (const std::string_view part : parts) {
    const std::uint64_t size = part.size();
    blake3_hasher_update(&hasher, &size, sizeof size);
    blake3_hasher_update(&hasher, part.data(), part.size());
  }
  Digest digest{};
  blake3_hasher_finalize(&hasher, digest.data(), digest.size());
  ::explicit_bzero(&hasher, sizeof hasher);
  wipeStackBelow();
  return digest;
}

} // namespace skillhost
