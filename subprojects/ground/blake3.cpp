// SPDX-License-Identifier: Apache-2.0
#include "ground/blake3.hpp"

#include "ground/descriptor.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/random.hpp"

#include <blake3.h>

#include <fcntl.h>
#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t pieceBytes = 256U << 10U;

// The library's own functions leave hashed bytes on the stack.
[[gnu::noinline]] void wipeStackBelow() noexcept {
  std::array<char, 8192> below; // NOLINT(cppcoreguidelines-pro-type-member-init): written next
  ::explicit_bzero(below.data(), below.size());
}

// On its first use, the library detects the processor's features and stores them in an unguarded
// variable. This forces that use before two threads can race.
void learnProcessor() noexcept {
  static const bool isKnown = [] {
    blake3_hasher hasher;
    blake3_hasher_init(&hasher);
    Blake3::Digest unused{};
    blake3_hasher_finalize(&hasher, unused.data(), unused.size());
    return true;
  }();
  static_cast<void>(isKnown);
}

template <std::size_t size> blake3_hasher *hasherIn(std::array<std::byte, size> &state) noexcept {
  static_assert(sizeof(blake3_hasher) <= size);
  return std::launder(reinterpret_cast<blake3_hasher *>(state.data()));
}
template <std::size_t size>
const blake3_hasher *hasherIn(const std::array<std::byte, size> &state) noexcept {
  return std::launder(reinterpret_cast<const blake3_hasher *>(state.data()));
}

} // namespace

// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): initialised by the library
Blake3::Blake3() noexcept {
  learnProcessor();
  blake3_hasher_init(new (state_.data()) blake3_hasher);
}
Blake3::Blake3(const Key &key) noexcept : isSecret_(true) {
  learnProcessor();
  blake3_hasher_init_keyed(new (state_.data()) blake3_hasher, key.data());
}
Blake3::Blake3(const char *context) noexcept : isSecret_(true) {
  learnProcessor();
  blake3_hasher_init_derive_key(new (state_.data()) blake3_hasher, context);
}
// NOLINTEND(cppcoreguidelines-pro-type-member-init)
Blake3::~Blake3() {
  if (!isSecret_) return;
  ::explicit_bzero(state_.data(), state_.size());
  wipeStackBelow();
}

void Blake3::add(std::string_view bytes) noexcept {
  blake3_hasher_update(hasherIn(state_), bytes.data(), bytes.size());
}

Blake3::Digest Blake3::finish() const noexcept {
  Digest digest{};
  blake3_hasher_finalize(hasherIn(state_), digest.data(), digest.size());
  return digest;
}

std::string blake3Hex(std::string_view bytes) {
  Blake3 hash;
  hash.add(bytes);
  return hexadecimal(hash.finish());
}

Result<std::string> blake3OfFile(const std::string &path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return {Fault::NotFound, path + ": " + std::generic_category().message(errno)};
  return blake3OfDescriptor(file.number(), path);
}

Result<std::string> blake3OfDescriptor(int descriptor, const std::string &path) {
  Blake3 hash;
  std::vector<char> piece(pieceBytes);
  for (off_t at = 0;;) {
    const ssize_t size = ::pread(descriptor, piece.data(), piece.size(), at);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return {Fault::NotFound, path + ": " + std::generic_category().message(errno)};
    if (size == 0) return hexadecimal(hash.finish());
    hash.add({piece.data(), static_cast<std::size_t>(size)});
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

Blake3Key Blake3Key::derived(const char *context, std::string_view secret) noexcept {
  Blake3 hash(context);
  hash.add(secret);
  Blake3Key made;
  made.key_ = hash.finish();
  return made;
}

Blake3Key::Digest Blake3Key::digest(std::span<const std::string_view> parts) const noexcept {
  Blake3 hash(key_);
  for (const std::string_view part : parts) {
    const std::uint64_t size = part.size();
    hash.add({reinterpret_cast<const char *>(&size), sizeof size});
    hash.add(part);
  }
  return hash.finish();
}

} // namespace skillhost
