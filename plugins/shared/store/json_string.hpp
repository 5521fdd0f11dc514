// SPDX-License-Identifier: Apache-2.0
// Encodes JSON texts in a single spelling: \" \\ \b \f \n \r \t, \u00xx in lower case for other
// control characters, and everything else unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::store {

constexpr std::size_t notText = SIZE_MAX;
// Returns the number of bytes that appendJsonText() would add, quotes included; notText if the
// bytes are not valid UTF-8.
std::size_t sizeAsJsonText(std::string_view bytes) noexcept;
void appendJsonText(std::string &out, std::string_view text);

struct TextInPlace {
  std::string_view text; // points to the place of the encoded text
  std::size_t length;    // size of the encoded text, including the closing quote
};
// Decodes in place the text after an opening quote. Returns nothing for any other spelling and if
// there is no closing quote; the bytes may have changed then. Does not check for UTF-8.
std::optional<TextInPlace> decodeJsonText(char *begin, std::size_t size) noexcept;

} // namespace skillhost::store
