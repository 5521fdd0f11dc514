// SPDX-License-Identifier: Apache-2.0
// Percent-encoded text (RFC 3986, section 2.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Decodes every %XX. A percent sign without two hexadecimal digits stays as it is.
std::string decodePercents(std::string_view text);
// The same; nothing when a percent sign stands without two hexadecimal digits.
std::optional<std::string> decodeStrictPercents(std::string_view text);

} // namespace skillhost
