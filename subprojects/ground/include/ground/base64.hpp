// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648), with padding (section 4), and for URLs without it (section 5). No padding but
// the right one, no white space, no bits left over: what decodes is the only spelling of its bytes.
// Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

constexpr std::size_t base64Size(std::size_t bytes) noexcept { return (bytes + 2) / 3 * 4; }
void appendBase64(std::string &out, std::string_view bytes);
std::string encodeBase64(std::string_view bytes);
// Decodes to `out`, which has room for text.size() / 4 * 3 bytes and may be the text's own place.
// How many bytes it wrote, or nothing for any other spelling; `out` then holds whatever.
std::optional<std::size_t> decodeBase64(std::string_view text, char *out) noexcept;
std::optional<std::string> decodeBase64(std::string_view text);

// As tokens and keys have it.
std::string encodeBase64Url(std::string_view bytes);
std::optional<std::string> decodeBase64Url(std::string_view text);

} // namespace skillhost
