// SPDX-License-Identifier: Apache-2.0
// What the header of a request says of the message in its body, and whether it is true (revision
// 2026-07-28, "Standard request headers").
#pragma once

#include "base/http.hpp"
#include "rpc/message.hpp"
#include "rpc/protocol_family.hpp"
#include "rpc/request_origin.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace skillhost {

struct HttpRefusal {
  int status = 400;
  FamilyRefusal error;
};

// The version that the header names; empty when there is none.
std::string_view versionOf(const HttpRequest &request);

// The family of a message that came with this header, or why it has none.
std::variant<ProtocolFamily, FamilyRefusal> familyOf(const HttpRequest &request,
                                                     const Message &message);

// Why the message, which is of that family, does not fit its header, or the header is none that a
// request may have; nothing when all is well. That it is of no family is told after what is wrong
// with the versions; where the header says nothing of it, it is left to the caller.
std::optional<HttpRefusal> disagreement(const HttpRequest &request, const Message &message,
                                        const std::variant<ProtocolFamily, FamilyRefusal> &family);

// Whether an Accept field takes a type, which is given in lower case (RFC 9110 §12.5.1).
bool accepts(std::string_view field, std::string_view type);

// For the log: "from 192.0.2.1:4711 request=… trace=…", the latter where the client names them.
std::string originOf(const HttpRequest &request);

// The same part by part.
RequestOrigin requestOriginOf(const HttpRequest &request);

// The value of a field, `=?base64?…?=` undone; nothing when that is broken.
std::optional<std::string> decodedField(std::string_view value);

} // namespace skillhost
