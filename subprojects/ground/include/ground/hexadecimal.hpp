// SPDX-License-Identifier: Apache-2.0
// Returns two lower-case hexadecimal digits for each byte. May be called on any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace skillhost {

std::string hexadecimal(std::span<const unsigned char> bytes);
// Returns true if the text is exactly `digits` lower-case digits.
bool isHexadecimal(std::string_view text, std::size_t digits) noexcept;
// Parses digits in either case. Returns false for any other text, and `bytes` are then undefined.
bool readHexadecimal(std::string_view text, std::span<unsigned char> bytes) noexcept;
// Returns the value of a digit in either case; -1 if it is none.
int hexadecimalDigit(char digit) noexcept;

} // namespace skillhost
