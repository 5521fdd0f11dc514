// SPDX-License-Identifier: Apache-2.0
#include "token.hpp"

#include "ground/base64.hpp"
#include "ground/blake3.hpp"
#include "ground/hexadecimal.hpp"

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
// These texts are part of the checksum in every token and of the hash in every file, so they must
// never change.
constexpr const char *checksumContext = "skillhost 2026-11-22 token checksum";
constexpr const char *hashContext = "skillhost 2026-11-22 token hash";

Blake3::Digest derived(const char *context, std::string_view material) {
  Blake3 hash(context);
  hash.add(material);
  return hash.finish();
}

std::string checksumOf(std::string_view bytes) {
  const Blake3::Digest whole = derived(checksumContext, bytes);
  return {whole.begin(), whole.begin() + checksumBytes};
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
  return std::string(prefix) + encodeBase64Url(bytes + checksumOf(bytes));
}

bool isWellFormed(std::string_view token) {
  if (token.size() != length || !token.starts_with(prefix)) return false;
  std::optional<std::string> bytes = decodeBase64Url(token.substr(prefix.size()));
  const bool right =
      bytes && bytes->size() == randomBytes + checksumBytes &&
      bytes->substr(randomBytes) == checksumOf(std::string_view(*bytes).substr(0, randomBytes));
  if (bytes) ::explicit_bzero(bytes->data(), bytes->size());
  return right;
}

std::string hashOfToken(std::string_view token) { return hexadecimal(derived(hashContext, token)); }

} // namespace skillhost::tokens
