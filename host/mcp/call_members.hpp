// SPDX-License-Identifier: Apache-2.0
// Describes a call for the log, field by field.
#pragma once

#include "base/fault.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost {

class Call;

// The end of a call. The caller owns the texts.
struct CallEnd {
  std::chrono::nanoseconds took{};
  bool isAnswered = false; // false: its client gave it up
  int errorCode = 0;       // of JSON-RPC; 0: a result
  std::string_view code;   // of the failure in a tool's result; empty: none
  std::string_view outcome;
  LogLevel level = LogLevel::Info;
};

// "0.222"
std::string millisecondsText(std::chrono::nanoseconds span);

// Returns members of a JSON object: call, method, revision (if the message names it), the subject
// (tool, skill, prompt, resource), the caller (principal, issuer, client, peer), the outcome
// (status, code, error_code, duration_ms), request_id, trace_id, span_id, parent_span_id,
// trace_sampled and trace_state; each only if there is one. Texts of the client are cut.
std::string callMembers(const Call &call, const CallEnd &end);

} // namespace skillhost
