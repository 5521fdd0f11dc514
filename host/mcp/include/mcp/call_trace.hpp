// SPDX-License-Identifier: Apache-2.0
// The trace that a call belongs to, and the part of it that is passed on to plugins.
#pragma once

#include "base/trace_context.hpp"

#include <optional>
#include <string>

namespace skillhost {

class Call;

struct CallTrace {
  std::optional<TraceContext> client; // as the client has sent it, if it is valid
  std::string state;                  // its `tracestate`
  // The ids of the span that telemetry makes of the call; empty if it makes none, because there is
  // no collector or the client does not record its trace.
  std::string traceId, spanId;
  // For requests made for the call. Their parent is the span of the call or, if it has none, that
  // of the client. Null if there is no trace or telemetry.propagate is off.
  TracePointer passed;
};

// The message's own trace counts. The header may come from a proxy in between, and counts only if
// the message has no valid trace. Makes another span each time.
CallTrace traceOf(const Call &call);

} // namespace skillhost
