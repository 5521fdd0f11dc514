// SPDX-License-Identifier: Apache-2.0
// The header fields that repeat what stands in the body of a modern request over HTTP (revision
// 2026-07-28).
#pragma once

#include "base/http.hpp"
#include "ground/json.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// Which member of params Mcp-Name repeats; null when the method has nothing of the kind.
const char *memberRepeated(std::string_view method) noexcept;

// A field's value as it may be sent: what is not plain visible ASCII goes as =?base64?…?=.
std::string encodedField(std::string_view value);

// MCP-Protocol-Version, Mcp-Method, Mcp-Name.
HttpFields repeatedFields(std::string_view version, std::string_view method, const Json &params);

} // namespace skillhost
