// SPDX-License-Identifier: Apache-2.0
#include "hexadecimal.hpp"

namespace skillhost::digest {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

} // namespace

std::string hexadecimal(const Digest &digest) {
  std::string text;
  text.reserve(digest.size() * 2);
  for (const std::uint8_t byte : digest) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

bool isHexadecimal(std::string_view text) noexcept {
  return text.size() == Digest{}.size() * 2 && text.find_first_not_of(digits) == text.npos;
}

} // namespace skillhost::digest
