// SPDX-License-Identifier: Apache-2.0
// What the log says of a call, field by field.
#pragma once

#include "base/fault.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost {

class Call;

// How a call has ended. Its texts are the caller's.
struct CallEnd {
  std::chrono::nanoseconds took{};
  bool isAnswered = false; // else its client gave it up
  int errorCode = 0;       // of JSON-RPC; 0: a result
  std::string_view code;   // of the failure in the result of a tool; empty: none
  std::string_view outcome;
  LogLevel level = LogLevel::Info;
};

// "0.222"
std::string millisecondsText(std::chrono::nanoseconds span);

// Members of a JSON object: call, method, revision (of a message that names it), what is asked for
// (tool, skill, prompt, resource), who asks (principal, issuer, client, peer), how it ended
// (status, code, error_code, duration_ms), request_id, trace_id, span_id, parent_span_id,
// trace_sampled and trace_state; each where there is one. Texts of the client are cut.
std::string callMembers(const Call &call, const CallEnd &end);

// The name that the client says it has, in the call or in the handshake of its session; cut.
std::string clientNameOf(const Call &call);

} // namespace skillhost
