// SPDX-License-Identifier: Apache-2.0
// The header fields that repeat parts of the body of a modern request over HTTP (revision
// 2026-07-28).
#pragma once

#include "base/http.hpp"
#include "ground/json.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// Returns the member of params that Mcp-Name repeats, or null if the method has no such member.
const char *memberRepeated(std::string_view method) noexcept;

// Encodes a value for a header field: text that is not plain visible ASCII becomes =?base64?…?=.
std::string encodedField(std::string_view value);

// Returns MCP-Protocol-Version, Mcp-Method and, if the method has such a member, Mcp-Name.
HttpFields repeatedFields(std::string_view version, std::string_view method, const Json &params);

} // namespace skillhost
