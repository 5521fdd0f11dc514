// SPDX-License-Identifier: Apache-2.0
// Where a request stands in a distributed trace (W3C Trace Context): what `traceparent` and
// `tracestate` say, and what is handed on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct TraceContext {
  std::string traceId;  // 32 hexadecimal digits in lower case, not all zero
  std::string parentId; // 16 of them: the span of who asks
  bool sampled = false; // whether the asker records it
};

// None when it is not valid: then it counts as not sent. Of a version to come what 00 has is read.
std::optional<TraceContext> readTraceparent(std::string_view text);

// The list of a `tracestate`, as it came, without what stands around it; empty when it is not
// valid, longer than 512 bytes, or empty. Valid as long as `text`.
std::string_view readTracestate(std::string_view text);

// The fields of requests that are made for a call.
struct TraceFields {
  std::string traceparent; // of version 00
  std::string tracestate;  // may be empty
};
using TracePointer = std::shared_ptr<const TraceFields>; // null: it belongs to no trace

// For a request whose parent is the span `context.parentId`. `tracestate`: see readTracestate().
TracePointer traceFields(const TraceContext &context, std::string_view tracestate);
// The same of what a client has sent, where nothing of ours stands between: null when its
// `traceparent` is not valid.
TracePointer clientTraceFields(std::string_view traceparent, std::string_view tracestate);

} // namespace skillhost
