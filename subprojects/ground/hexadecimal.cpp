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

bool readHexadecimal(std::string_view text, std::span<unsigned char> bytes) noexcept {
  if (text.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hexadecimalDigit(text[2 * i]), low = hexadecimalDigit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return true;
}

} // namespace skillhost
