// SPDX-License-Identifier: Apache-2.0
// What the frames between host and runner say. Both are the same program, so there is one version.
//
// A channel carries one call at a time: the host sends a request (Operation, deadline,
// traceparent, tracestate, arguments), the runner answers with frames of a FrameKind and records
// (Record, fields), of which the last is End. Meanwhile the host may send Operation::Cancel, and an
// Operation::Reply for every Ask. The control socket carries the Start one way and Record::Log to
// Record::Refused the other: first a byte (thread_gate.hpp) and Record::Confined, once, to which
// the host answers with an empty frame; only then is the plugin loaded.
#pragma once

#include <cstdint>

namespace skillhost::process {

enum class Operation : std::uint8_t {
  Cancel = 1, // status: what the call is to return
  List,
  Read,
  Changes,
  Put,
  Remove,
  Commit,
  Generation,
  Query,
  Check,
  Validate,
  Describe,
  ListTools,
  CallTool,
  GetPrompt,
  ReadResource,
  Complete,
  Facts,
  ValidateCaller,
  Held,
  Explain,
  Settle,
  Get,
  CompareAndSet,
  Erase,
  Add,
  Publish,
  Subscribe,
  Unsubscribe,
  Receive,
  Observe, // a batch of events
  Reply,   // during a call: number, status, text
};

// May it be asked again when its process was lost on the way?
constexpr bool isIdempotent(Operation operation) noexcept {
  switch (operation) {
  case Operation::List:
  case Operation::Read:
  case Operation::Changes:
  case Operation::Generation:
  case Operation::Query:
  case Operation::Check:
  case Operation::Describe:
  case Operation::ListTools:
  case Operation::Complete:
  case Operation::Facts:
  case Operation::Held:
  case Operation::Explain:
  case Operation::Settle:
  case Operation::Get:
  case Operation::Subscribe:
    return true;
  default:
    return false;
  }
}

enum class FrameKind : std::uint8_t { Part = 1, Last, Aside }; // Aside: one of what says so below

enum class Record : std::uint8_t {
  Document = 1, // flags, skill, path, revision, length, location
  Done,         // snapshot
  Bytes,        // bytes
  Hit,          // id, score, snippet
  Held,         // id, revision
  Message,      // flags, channel, payload
  Principal,    // subject, issuer, claims, expiry, cache seconds, count, scopes
  Progress,     // aside: done, total, what
  End,          // status, why
  Log,          // level, text
  Metric,       // kind, name, value
  Changed,
  Health,   // state, why
  Confined, // complete (0 or 1), refused (0 or 1: then Refused follows), text for the operator
  Ready,    // has it asked for its pin (0 or 1)
  Refused,  // status, why
  Told,     // aside: level, logger, data
  Ask,      // aside: number, method, parameters
};

} // namespace skillhost::process
