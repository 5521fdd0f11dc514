// SPDX-License-Identifier: Apache-2.0
#include "ground/hexadecimal.hpp"

namespace skillhost {
namespace {

constexpr std::string_view hexadecimalDigits = "0123456789abcdef";

} // namespace

std::string hexadecimal(std::span<const unsigned char> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const unsigned char byte : bytes) {
    text += hexadecimalDigits[byte >> 4U];
    text += hexadecimalDigits[byte & 15U];
  }
  return text;
}

bool isHexadecimal(std::string_view text, std::size_t digits) noexcept {
  return text.size() == digits && text.find_first_not_of(hexadecimalDigits) == text.npos;
}

int hexadecimalDigit(char digit) noexcept {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

} // namespace skillhost
