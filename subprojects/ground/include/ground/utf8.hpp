// SPDX-License-Identifier: Apache-2.0
// UTF-8 as the Unicode standard defines it: no overlong forms, no surrogates, nothing past
// U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// The bytes of valid UTF-8 that `text` begins with; text.size() when all of it is valid.
std::size_t validUtf8Prefix(std::string_view text) noexcept;
inline bool isUtf8(std::string_view text) noexcept { return validUtf8Prefix(text) == text.size(); }
void appendUtf8(std::string &out, char32_t character);
// `bytes`, or where a byte order mark says that they are UTF-16 the same text in `room`, without
// the mark. Half a character becomes U+FFFD.
std::string_view withoutUtf16(std::string_view bytes, std::string &room);
// A copy with every invalid byte replaced by U+FFFD.
std::string mendUtf8(std::string_view text);
// At most `bytes` of `text`, never cutting a character in two.
std::string_view cutUtf8(std::string_view text, std::size_t bytes) noexcept;
// How many characters (code points) valid UTF-8 holds.
std::size_t countCharacters(std::string_view text) noexcept;
// The beginning of valid UTF-8, of at most so many characters.
std::string_view firstCharacters(std::string_view text, std::size_t characters) noexcept;

} // namespace skillhost
