// SPDX-License-Identifier: Apache-2.0
#include "token.hpp"

#include "encoding/base64url.hpp"

#include <blake3.h>
#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>

namespace skillhost::tokens {
namespace {

constexpr std::string_view prefix = "skh_";
constexpr std::size_t randomBytes = 32;
constexpr std::size_t checksumBytes = 4;
constexpr std::size_t length = prefix.size() + (randomBytes + checksumBytes) / 3 * 4;
// Part of every hash in every file: never to be changed.
constexpr const char *checksumContext = "skillhost 2026-11-22 token checksum";
constexpr const char *hashContext = "skillhost 2026-11-22 token hash";

// The library's own functions leave what they have hashed on the stack, where they were.
[[gnu::noinline]] void wipeStackBelow() noexcept {
  std::array<char, 8192> below; // NOLINT(cppcoreguidelines-pro-type-member-init): written next
  ::explicit_bzero(below.data(), below.size());
}

std::string derived(const char *context, std::string_view material, std::size_t size) {
  blake3_hasher hasher;
  blake3_hasher_init_derive_key(&hasher, context);
  blake3_hasher_update(&hasher, material.data(), material.size());
  std::array<std::uint8_t, BLAKE3_OUT_LEN> digest{};
  blake3_hasher_finalize(&hasher, digest.data(), digest.size());
  ::explicit_bzero(&hasher, sizeof hasher); // it holds the last piece of the material
  wipeStackBelow();
  return {digest.begin(), digest.begin() + static_cast<std::ptrdiff_t>(size)};
}

std::string random() {
  std::string bytes(randomBytes, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::system_error(errno, std::generic_category(), "no randomness");
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

} // namespace

std::string newToken() {
  const std::string bytes = random();
  return std::string(prefix) +
         encoding::encodeBase64Url(bytes + derived(checksumContext, bytes, checksumBytes));
}

bool isWellFormed(std::string_view token) {
  if (token.size() != length || !token.starts_with(prefix)) return false;
  std::optional<std::string> bytes = encoding::decodeBase64Url(token.substr(prefix.size()));
  const bool right =
      bytes && bytes->size() == randomBytes + checksumBytes &&
      bytes->substr(randomBytes) ==
          derived(checksumContext, std::string_view(*bytes).substr(0, randomBytes), checksumBytes);
  if (bytes) ::explicit_bzero(bytes->data(), bytes->size());
  return right;
}

std::string hashOfToken(std::string_view token) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char byte : derived(hashContext, token, BLAKE3_OUT_LEN)) {
    const auto value = static_cast<unsigned char>(byte);
    out += digits[value >> 4U];
    out += digits[value & 15U];
  }
  return out;
}

bool equalInConstantTime(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    difference = static_cast<unsigned char>(
        difference | (static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i])));
  return difference == 0;
}

} // namespace skillhost::tokens
