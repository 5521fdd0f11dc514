// SPDX-License-Identifier: Apache-2.0
#include "blake3.hpp"

#include <blake3.h>

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

namespace skillhost::digest {
namespace {

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

} // namespace

struct Blake3::State {
  State() noexcept { learnProcessor(); } // NOLINT(cppcoreguidelines-pro-type-member-init): by init
  State(const State &) = delete;
  State &operator=(const State &) = delete;
  ~State() {
    ::explicit_bzero(&hasher, sizeof hasher);
    wipeStackBelow();
  }
  blake3_hasher hasher;
};

Blake3::Blake3() : state_(std::make_unique<State>()) { blake3_hasher_init(&state_->hasher); }
Blake3::Blake3(const Key &key) : state_(std::make_unique<State>()) {
  blake3_hasher_init_keyed(&state_->hasher, key.data());
}
Blake3::Blake3(const char *context) : state_(std::make_unique<State>()) {
  blake3_hasher_init_derive_key(&state_->hasher, context);
}
Blake3::Blake3(Blake3 &&) noexcept = default;
Blake3::~Blake3() = default;

void Blake3::add(std::string_view bytes) noexcept {
  blake3_hasher_update(&state_->hasher, bytes.data(), bytes.size());
}

Digest Blake3::finish() const noexcept {
  Digest digest{};
  blake3_hasher_finalize(&state_->hasher, digest.data(), digest.size());
  return digest;
}

} // namespace skillhost::digest
