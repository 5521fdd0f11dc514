// SPDX-License-Identifier: Apache-2.0
// base64url without padding (RFC 4648, section 5): what a bearer token may consist of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

std::string encodeBase64Url(std::string_view bytes);

// Nothing unless `text` is exactly what encodeBase64Url gives for some bytes.
std::optional<std::string> decodeBase64Url(std::string_view text);
