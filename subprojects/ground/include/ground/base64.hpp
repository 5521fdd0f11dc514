// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648), with padding (section 4), and for URLs without it (section 5). Decoding
// accepts only the one canonical spelling of some bytes: the right padding, no white space, no
// left-over bits. May be used on any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

constexpr std::size_t base64Size(std::size_t bytes) noexcept { return (bytes + 2) / 3 * 4; }
void appendBase64(std::string &out, std::string_view bytes);
std::string encodeBase64(std::string_view bytes);
// Decodes to `out`, which needs text.size() / 4 * 3 bytes and may be the memory of the text.
// Returns the number of bytes written. Returns nothing for any other spelling, and `out` is then
// undefined.
std::optional<std::size_t> decodeBase64(std::string_view text, char *out) noexcept;
std::optional<std::string> decodeBase64(std::string_view text);

// The form in tokens and keys.
std::string encodeBase64Url(std::string_view bytes);
std::optional<std::string> decodeBase64Url(std::string_view text);

} // namespace skillhost
