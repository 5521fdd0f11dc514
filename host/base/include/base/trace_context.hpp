// SPDX-License-Identifier: Apache-2.0
// Where a request stands in a distributed trace (W3C Trace Context): what `traceparent` and
// `tracestate` say.
#pragma once

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

} // namespace skillhost
