// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648, section 4, with padding), in which MCP carries bytes.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

std::string encodeBase64(std::string_view bytes);

} // namespace skillhost
