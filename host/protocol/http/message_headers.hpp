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

// The version that the header names; empty when there is none. Named more than once, or one that
// nobody speaks: a refusal.
std::optional<HttpRefusal> readVersion(const HttpRequest &request, std::string_view &version);

// Whether a request and its header agree. `version` is that of readVersion().
std::optional<HttpRefusal> disagreement(const HttpRequest &request, std::string_view version,
                                        const Message &message);

// The value of a field, `=?base64?…?=` undone; nothing when that is broken.
std::optional<std::string> decodedField(std::string_view value);

} // namespace skillhost
