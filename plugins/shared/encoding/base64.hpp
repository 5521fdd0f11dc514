// SPDX-License-Identifier: Apache-2.0
// Base64 with padding (RFC 4648 section 4), and no spelling but the one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::encoding {

constexpr std::size_t base64Size(std::size_t bytes) noexcept { return (bytes + 2) / 3 * 4; }
void appendBase64(std::string &out, std::string_view bytes);
// Decodes to `out`, which has room for text.size() / 4 * 3 bytes and may be the text's own place.
// How many bytes it wrote, or nothing for any other spelling; `out` then holds whatever.
std::optional<std::size_t> decodeBase64(std::string_view text, char *out) noexcept;

} // namespace skillhost::encoding
