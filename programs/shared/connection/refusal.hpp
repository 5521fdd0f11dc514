// SPDX-License-Identifier: Apache-2.0
// What an HTTP answer that holds no answer is told to the client as.
#pragma once

#include "answer.hpp"

#include <string>
#include <string_view>

namespace skillhost {

struct RemoteRefusal {
  int code; // of JSON-RPC
  std::string words, data;
  std::string advice; // for the operator's log; empty: none
};

// For every end that brought no message, with its reason: the challenge of a 401 or 403, where a
// redirect wanted to go, the error in the body.
RemoteRefusal refusalOf(const AnswerEnd &end);

// Whether the body is an error of JSON-RPC: the server's own word, not that of a proxy before it.
bool holdsError(const AnswerEnd &end);

// Whether a method may be asked again when nobody knows what became of it: all that only read. Not
// tools/call, and not what the protocol does not know.
bool mayRepeat(std::string_view method) noexcept;

} // namespace skillhost
