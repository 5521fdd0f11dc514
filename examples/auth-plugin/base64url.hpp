// SPDX-License-Identifier: Apache-2.0
// Base64url without padding (RFC 4648, section 5). All its characters are allowed in a bearer
// token.
#pragma once

#include <optional>
#include <string>
#include <string_view>

std::string encodeBase64Url(std::string_view bytes);

// Returns the bytes that encodeBase64Url() encodes as exactly `text`, or nothing if there are none.
std::optional<std::string> decodeBase64Url(std::string_view text);
