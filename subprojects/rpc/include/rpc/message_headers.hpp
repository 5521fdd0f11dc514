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

// Returns why the header disagrees with the message or is invalid; nothing if they agree. `family`
// is the result of familyOf(). If it is a refusal, this function only checks the versions, and the
// caller has to refuse the message for that reason if nothing is returned.
std::optional<HttpRefusal>
findHeaderMismatch(const HttpRequest &request, const Message &message,
                   const std::variant<ProtocolFamily, FamilyRefusal> &family);

// Returns true if an Accept field accepts a type, which is given in lower case (RFC 9110 §12.5.1).
bool accepts(std::string_view field, std::string_view type);

// Returns the origin of a request, for the log.
RequestOrigin requestOriginOf(const HttpRequest &request);

// Returns the same as text: "from 192.0.2.1:4711 request=… trace=…". The last two are there if the
// client sent them.
std::string originText(const RequestOrigin &origin);

// Decodes the value of a field that may be `=?base64?…?=`. Returns nothing if the encoding is
// invalid.
std::optional<std::string> decodedField(std::string_view value);

} // namespace skillhost
