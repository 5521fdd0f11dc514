// SPDX-License-Identifier: Apache-2.0
// The position of a request in a distributed trace (W3C Trace Context): reads `traceparent` and
// `tracestate`, and makes the fields to forward.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct TraceContext {
  std::string traceId;  // 32 hexadecimal digits in lower case, not all zero
  std::string parentId; // 16 such digits: the span of the sender
  bool sampled = false; // the sender records the trace
};

// Returns nothing for an invalid text, which counts as not sent. Of a future version, only the
// parts of version 00 are read.
std::optional<TraceContext> readTraceparent(std::string_view text);

// Returns the list of a `tracestate` unchanged, without surrounding white space. Empty if it is
// invalid, longer than 512 bytes, or has no entries. The view is valid as long as `text`.
std::string_view readTracestate(std::string_view text);

// The trace fields of the requests that a call makes.
struct TraceFields {
  std::string traceparent; // of version 00
  std::string tracestate;  // may be empty
};
using TracePointer = std::shared_ptr<const TraceFields>; // null: the call belongs to no trace

// Makes the fields of a request whose parent is the span `context.parentId`. `tracestate`: see
// readTracestate().
TracePointer traceFields(const TraceContext &context, std::string_view tracestate);
// Makes the fields from a client's own ones, without a span of ours between. Null if its
// `traceparent` is invalid.
TracePointer clientTraceFields(std::string_view traceparent, std::string_view tracestate);

} // namespace skillhost
