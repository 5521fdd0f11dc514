// SPDX-License-Identifier: Apache-2.0
#include "mcp/call_trace.hpp"

#include "base/log_export.hpp"
#include "ground/json_member.hpp"
#include "ground/random.hpp"
#include "mcp/call.hpp"
#include "mcp/services.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t spanBytes = 8, traceBytes = 16;

} // namespace

CallTrace traceOf(const Call &call) {
  const Json &meta = memberOf(call.params(), "_meta");
  CallTrace trace;
  std::string_view state = memberText(meta, "tracestate");
  trace.client = readTraceparent(memberText(meta, "traceparent"));
  if (!trace.client) {
    trace.client = readTraceparent(call.requestOrigin().traceparent);
    state = call.requestOrigin().tracestate;
  }
  if (trace.client) trace.state = readTracestate(state);
  TraceContext parent = trace.client.value_or(TraceContext{{}, {}, true});
  const bool hasSpan = log::isExported() && parent.sampled;
  if (hasSpan) {
    trace.traceId = trace.client ? parent.traceId : randomHex(traceBytes);
    trace.spanId = randomHex(spanBytes);
    parent = {trace.traceId, trace.spanId, true};
  }
  if ((hasSpan || trace.client) && call.services().settings.passTrace)
    trace.passed = traceFields(parent, trace.state);
  return trace;
}

} // namespace skillhost
