// SPDX-License-Identifier: Apache-2.0
// Converts an HTTP answer without a message of MCP to the error that the client gets.
#pragma once

#include "answer.hpp"

#include <string>
#include <string_view>

namespace skillhost {

struct RemoteRefusal {
  int code; // JSON-RPC error code
  std::string words, data;
  std::string advice; // for the operator's log; may be empty
};

// Describes every end that brought no message, with its reason: the challenge of a 401 or 403, the
// target of a redirect, or the error in the body.
RemoteRefusal refusalOf(const AnswerEnd &end);

// Returns true if the body is a JSON-RPC error, which comes from the server and not from a proxy.
bool holdsError(const AnswerEnd &end);

// Returns true if a method may be sent again although its outcome is unknown. That holds for
// methods that only read. It is false for tools/call and for unknown methods.
bool mayRepeat(std::string_view method) noexcept;

} // namespace skillhost
