// SPDX-License-Identifier: Apache-2.0
// Which trace a call belongs to, and what of it is handed on to plugins.
#pragma once

#include "base/trace_context.hpp"

#include <optional>
#include <string>

namespace skillhost {

class Call;

struct CallTrace {
  std::optional<TraceContext> client; // what the client has sent, where it is valid
  std::string state;                  // its `tracestate`
  // Of the span that telemetry makes of the call; empty: it makes none, for there is no collector,
  // or the client does not record its trace.
  std::string traceId, spanId;
  // For requests made for the call: its span is their parent, or where it has none that of the
  // client. Null: there is no trace, or telemetry.propagate is off.
  TracePointer passed;
};

// What the message says is about this call; the header may be of a proxy between, and counts where
// the message says nothing valid. Another span each time.
CallTrace traceOf(const Call &call);

} // namespace skillhost
