// SPDX-License-Identifier: Apache-2.0
// Bytes as people see them: two lower-case hexadecimal digits each. Any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace skillhost {

std::string hexadecimal(std::span<const unsigned char> bytes);
// Is it so many digits in lower case, and nothing else?
bool isHexadecimal(std::string_view text, std::size_t digits) noexcept;
// The reverse, of digits in either case; false for any other text, and `bytes` then hold whatever.
bool readHexadecimal(std::string_view text, std::span<unsigned char> bytes) noexcept;
// What a digit in either case stands for; -1 for what is none.
int hexadecimalDigit(char digit) noexcept;

} // namespace skillhost
