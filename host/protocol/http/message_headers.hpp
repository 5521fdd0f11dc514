// SPDX-License-Identifier: Apache-2.0
// What the header of a request says of the message in its body, and whether it is true (revision
// 2026-07-28, "Standard request headers").
#pragma once

#include "base/http.hpp"
#include "era_of.hpp"
#include "message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct HttpRefusal {
  int status = 400;
  EraRefusal error;
};

// The version that the header names; empty when there is none.
std::string_view versionOf(const HttpRequest &request);

// Why the message does not fit its header, or the header is none that a request may have; nothing
// when all is well.
std::optional<HttpRefusal> disagreement(const HttpRequest &request, const Message &message);

// The value of a field, `=?base64?…?=` undone; nothing when that is broken.
std::optional<std::string> decodedField(std::string_view value);

} // namespace skillhost
