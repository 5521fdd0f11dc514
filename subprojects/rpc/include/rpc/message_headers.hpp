// SPDX-License-Identifier: Apache-2.0
// Reads the header fields that describe the message in the body, and compares them with it
// (revision 2026-07-28, "Standard request headers").
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

// Returns the version that the header names; empty if it names none.
std::string_view versionOf(const HttpRequest &request);

// Returns the family of a message with this header, or why it belongs to none.
std::variant<ProtocolFamily, FamilyRefusal> familyOf(const HttpRequest &request,
                                                     const Message &message);

// Returns why the header does not fit the message, or is no valid header of a request; nothing if
// both agree. A message without a family is refused after the versions were checked. If neither the
// header nor the message names a modern version, the caller has to refuse it.
std::optional<HttpRefusal>
findHeaderMismatch(const HttpRequest &request, const Message &message,
                   const std::variant<ProtocolFamily, FamilyRefusal> &family);

// Returns true if an Accept field accepts a type, which is given in lower case (RFC 9110 §12.5.1).
bool accepts(std::string_view field, std::string_view type);

// Returns what the log says of the origin of a request.
RequestOrigin requestOriginOf(const HttpRequest &request);

// Returns the same as text: "from 192.0.2.1:4711 request=… trace=…". The last two are there if the
// client sent them.
std::string originText(const RequestOrigin &origin);

// Decodes the value of a field that may be `=?base64?…?=`. Returns nothing if the encoding is
// invalid.
std::optional<std::string> decodedField(std::string_view value);

} // namespace skillhost
