// SPDX-License-Identifier: Apache-2.0
// Defines the frames between host and runner. Both belong to the same program, so there is only one
// version.
//
// A channel carries one call at a time: the host sends a request (Operation, deadline, traceparent,
// tracestate, arguments), the runner answers with frames of a FrameKind and records (Record,
// fields), the last of which is End. Meanwhile the host may send Operation::Cancel, and an
// Operation::Reply for every question (Ask, ReadBody, Upstream). Before the reply to a call of the
// upstream it sends the results as Operation::Piece. On the control socket the host sends the
// Start, and the runner sends Record::Log to Record::Refused and Record::LinesLost. The runner
// begins with a byte (thread_gate.hpp) and one Record::Confined, which the host answers with an
// empty frame. Only then is the plugin loaded.
#pragma once

#include <cstdint>

namespace skillhost::process {

enum class Operation : std::uint8_t {
  Cancel = 1, // status for the call to return
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
  Observe, // hands over a batch of events
  Routes,
  Handle,   // a request of HTTP
  Reply,    // during a call: number, status, text
  Piece,    // during a call: number, records of the upstream's results
  ReadEach, // only in Record::Upstream
};

// True if it is a message of the host about the call that runs.
constexpr bool isAboutRunningCall(Operation operation) noexcept {
  return operation == Operation::Cancel || operation == Operation::Reply ||
         operation == Operation::Piece;
}

// True if the operation may be repeated after its process was lost.
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
  case Operation::Routes:
    return true;
  default:
    return false;
  }
}

enum class FrameKind : std::uint8_t { Part = 1, Last, Aside }; // Aside: a record marked so below

enum class Record : std::uint8_t {
  Document = 1, // flags, skill, path, revision, length, location
  Done,         // snapshot
  Bytes,        // bytes
  Hit,          // id, score, snippet
  Held,         // id, revision
  Message,      // flags, channel, payload
  Principal,    // subject, issuer, claims, expiry, cache seconds, count, scopes
  Progress,     // aside: done, total, text
  End,          // status, why
  Log,          // level, text
  Metric,       // kind, name, value
  Changed,
  Health,   // state, why
  Confined, // complete (0 or 1), refused (0 or 1: then Refused follows), text for the operator
  Ready,    // what the plugin has asked for: askedForPin, askedForUpstream
  Refused,  // status, why
  Told,     // aside: level, logger, data
  Ask,      // aside: number, method, parameters
  Route, // flags, permission, path, methods, longest body, count, fields; its content is in Bytes
         // before it
  Head,  // status, count, fields
  ReadBody,  // aside: number, room
  Upstream,  // aside: number, operation of the upstream (List, Changes, Read, ReadEach, Facts), its
             // arguments
  Reading,   // in a Piece: index, status, reason; the document is in Bytes before it
  LinesLost, // level, number: lines of the log that the runner has dropped
};

constexpr std::uint8_t askedForPin = 1, askedForUpstream = 2; // bits of Record::Ready

} // namespace skillhost::process
