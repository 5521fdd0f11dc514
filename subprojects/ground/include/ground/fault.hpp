// SPDX-License-Identifier: Apache-2.0
// Every way a request or a call can fail. How each is told to whom is the table of base/fault.hpp.
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

} // namespace skillhost
