// SPDX-License-Identifier: Apache-2.0
#include "digest.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/sha256.hpp"
#include "ground/sha512.hpp"

namespace skillhost::oci {
namespace {

constexpr std::string_view sha256Prefix = "sha256:", sha512Prefix = "sha512:";

} // namespace

bool isDigest(std::string_view text) noexcept {
  if (text.starts_with(sha256Prefix)) return isHexadecimal(text.substr(sha256Prefix.size()), 64);
  return text.starts_with(sha512Prefix) && isHexadecimal(text.substr(sha512Prefix.size()), 128);
}

bool isDigestOf(std::string_view digest, std::string_view bytes) {
  return hexadecimalOf(digest) ==
         (digest.starts_with(sha512Prefix) ? sha512Hex(bytes) : sha256Hex(bytes));
}

std::string sha256Digest(std::string_view bytes) {
  return std::string(sha256Prefix) + sha256Hex(bytes);
}

std::string hexadecimalOf(std::string_view digest) {
  return std::string(digest.substr(digest.find(':') + 1));
}

} // namespace skillhost::oci
