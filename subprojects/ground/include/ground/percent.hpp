// SPDX-License-Identifier: Apache-2.0
// Percent-encoded text (RFC 3986, section 2.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Decodes every %XX. A percent sign without two hexadecimal digits stays.
std::string decodePercents(std::string_view text);
// Does the same, but returns nothing if a percent sign lacks two hexadecimal digits.
std::optional<std::string> decodeStrictPercents(std::string_view text);

} // namespace skillhost
