// SPDX-License-Identifier: Apache-2.0
// Every way in which a request or a call can fail. The table in base/fault.hpp maps each to its
// codes.
#pragma once

#include <cstdint>

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
  // The following are faults of the message or the call. A tool's envelope never has them as its
  // own code.
  ParseError,
  InvalidRequest,
  MethodNotFound,
  InvalidParams,
  Cancelled,
  Stale,
  Denied,
  TooLarge,
  Corrupt,
  Unauthenticated, // the caller is unknown to the provider
};

} // namespace skillhost
