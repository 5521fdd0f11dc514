// SPDX-License-Identifier: Apache-2.0
#include "base/fault.hpp"

#include <array>
#include <cstddef>
#include <new>

namespace skillhost {
namespace {

using enum LogLevel;

constexpr std::array table{
    FaultInfo{Fault::InvalidInput, "INVALID_INPUT", -32602, 400, false, Info},
    FaultInfo{Fault::MissingRequiredField, "MISSING_REQUIRED_FIELD", -32602, 400, false, Info},
    FaultInfo{Fault::InvalidFormat, "INVALID_FORMAT", -32602, 400, false, Info},
    FaultInfo{Fault::ArrayTooLarge, "ARRAY_TOO_LARGE", -32602, 400, false, Info},
    FaultInfo{Fault::NotFound, "NOT_FOUND", -32602, 404, false, Warning},
    FaultInfo{Fault::AlreadyExists, "ALREADY_EXISTS", -32602, 409, false, Info},
    FaultInfo{Fault::Conflict, "CONFLICT", -32602, 409, false, Info},
    FaultInfo{Fault::OperationFailed, "OPERATION_FAILED", -32603, 500, false, Warning},
    FaultInfo{Fault::ToolTimeout, "TOOL_TIMEOUT", -31001, 504, true, Warning},
    FaultInfo{Fault::RateLimited, "RATE_LIMITED", -31002, 429, true, Info},
    FaultInfo{Fault::MemoryPressure, "MEMORY_PRESSURE", -31003, 503, true, Warning},
    FaultInfo{Fault::Internal, "INTERNAL_ERROR", -32603, 500, false, Error},
    FaultInfo{Fault::NotImplemented, "NOT_IMPLEMENTED", -32601, 501, false, Info},
    FaultInfo{Fault::Unavailable, "SERVICE_UNAVAILABLE", -31004, 503, true, Warning},
    FaultInfo{Fault::ParseError, "INVALID_FORMAT", -32700, 400, false, Warning},
    FaultInfo{Fault::InvalidRequest, "INVALID_FORMAT", -32600, 400, false, Warning},
    FaultInfo{Fault::MethodNotFound, "NOT_IMPLEMENTED", -32601, 404, false, Info},
    FaultInfo{Fault::InvalidParams, "INVALID_INPUT", -32602, 200, false, Info},
    FaultInfo{Fault::Cancelled, "OPERATION_FAILED", -31005, 499, true, Debug},
    FaultInfo{Fault::Stale, "CONFLICT", -31006, 409, true, Info},
    FaultInfo{Fault::Denied, "OPERATION_FAILED", -31007, 403, false, Warning},
    FaultInfo{Fault::TooLarge, "INVALID_INPUT", -31008, 413, false, Info},
    FaultInfo{Fault::Corrupt, "OPERATION_FAILED", -31009, 500, false, Error},
    FaultInfo{Fault::Unauthenticated, "OPERATION_FAILED", -31010, 401, false, Warning},
};

consteval bool inOrder() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (static_cast<std::size_t>(table[i].fault) != i) return false;
  return table.back().fault == Fault::Unauthenticated;
}
static_assert(inOrder(), "a row of the table is missing or out of place");

} // namespace

Fault faultOfException(const std::exception &why) noexcept {
  const bool lacksMemory = dynamic_cast<const std::bad_alloc *>(&why) != nullptr;
  return lacksMemory ? Fault::MemoryPressure : Fault::Internal;
}

const char *wordsOfException(const std::exception &why) noexcept {
  return faultOfException(why) == Fault::MemoryPressure ? shortOfMemory : "internal error";
}

const FaultInfo &describe(Fault fault) noexcept { return table[static_cast<std::size_t>(fault)]; }

} // namespace skillhost
