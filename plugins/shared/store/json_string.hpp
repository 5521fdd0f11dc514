// SPDX-License-Identifier: Apache-2.0
// Texts in JSON in one spelling: \" \\ \b \f \n \r \t, \u00xx in lower case for other control
// characters, and everything else as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::store {

constexpr std::size_t notText = SIZE_MAX;
// The bytes appendJsonText() would add, quotes included; notText for what is not valid UTF-8.
std::size_t sizeAsJsonText(std::string_view bytes) noexcept;
void appendJsonText(std::string &out, std::string_view text);

struct TextInPlace {
  std::string_view text; // at the place where it was encoded
  std::size_t taken;     // bytes it was encoded in, with the closing quote
};
// Decodes what follows an opening quote, in place. Nothing for any other spelling, and when the
// quote never closes; the bytes may be changed then. Whether it is UTF-8 is not looked at.
std::optional<TextInPlace> decodeJsonText(char *begin, std::size_t size) noexcept;

} // namespace skillhost::store
