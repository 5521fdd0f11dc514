// SPDX-License-Identifier: Apache-2.0
// UTF-8 as the Unicode standard defines it: no overlong forms, no surrogates, nothing above
// U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// Returns the length of the valid UTF-8 at the start of `text`; text.size() if all of it is valid.
std::size_t validUtf8Prefix(std::string_view text) noexcept;
inline bool isUtf8(std::string_view text) noexcept { return validUtf8Prefix(text) == text.size(); }
void appendUtf8(std::string &out, char32_t character);
// Returns `bytes`. If a byte order mark says that they are UTF-16, returns the same text as UTF-8
// in `room`, without the mark; half a character becomes U+FFFD.
std::string_view withoutUtf16(std::string_view bytes, std::string &room);
// Returns a copy with every invalid byte replaced by U+FFFD.
std::string mendUtf8(std::string_view text);
// Returns at most `bytes` bytes of `text`, never cutting a character.
std::string_view cutUtf8(std::string_view text, std::size_t bytes) noexcept;
// Counts the characters (code points) of valid UTF-8.
std::size_t countCharacters(std::string_view text) noexcept;
// Returns at most the first `characters` characters of valid UTF-8.
std::string_view firstCharacters(std::string_view text, std::size_t characters) noexcept;

} // namespace skillhost
