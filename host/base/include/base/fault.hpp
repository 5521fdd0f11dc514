// SPDX-License-Identifier: Apache-2.0
// Every way a request can fail, and the one table that says how each is told to whom.
#pragma once

#include <cstdint>
#include <string_view>

namespace skillhost {

enum class Fault : std::uint8_t {
  InvalidInput,
  MissingRequiredField,
  InvalidFormat,
  ArrayTooLarge,
  NotFound,
  AlreadyExists,
  Conflict,
  OperationFailed,
  ToolTimeout,
  RateLimited,
  MemoryPressure,
  Internal,
  NotImplemented,
  Unavailable,
  // Below: faults of the message or the call, which never reach a tool's envelope as their own
  // code.
  ParseError,
  InvalidRequest,
  MethodNotFound,
  InvalidParams,
  Cancelled,
  Stale,
  Denied,
  TooLarge,
  Corrupt,
  Unauthenticated, // nobody whom the provider knows asks
};

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

struct FaultInfo {
  Fault fault;
  std::string_view code; // the envelope's error.code
  int jsonRpc;           // the JSON-RPC error code
  int http;              // the HTTP status
  bool retryable;        // may the caller send the same call again?
  LogLevel level;        // how loud the operator hears of it
};

// The table's row; total, never throws.
const FaultInfo &describe(Fault fault) noexcept;

} // namespace skillhost
