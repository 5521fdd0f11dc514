// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648, section 4, with padding), in which MCP carries bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

std::string encodeBase64(std::string_view bytes);
// Nothing when it is not exactly what encodeBase64() writes.
std::optional<std::string> decodeBase64(std::string_view text);

} // namespace skillhost
