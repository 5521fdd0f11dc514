// SPDX-License-Identifier: Apache-2.0
// The table that maps each kind of failure to its code, its status and its log level.
#pragma once

#include "ground/fault.hpp"

#include <cstdint>
#include <exception>
#include <string_view>

namespace skillhost {

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

struct FaultInfo {
  Fault fault;
  std::string_view code; // error.code of the envelope
  int jsonRpc;           // the JSON-RPC error code
  int http;              // the HTTP status
  bool retryable;        // the caller may send the same call again
  LogLevel level;        // level in the operator's log
};

// The message of MemoryPressure.
inline constexpr const char *shortOfMemory = "memory is short: try again in a moment";

// Return the fault of an exception (MemoryPressure or Internal) and its message for the client.
Fault faultOfException(const std::exception &why) noexcept;
const char *wordsOfException(const std::exception &why) noexcept;

// Returns the row of the table. Every fault has one.
const FaultInfo &describe(Fault fault) noexcept;

// True if the same call may succeed later. Such a failure says nothing about the document, which
// counts as neither unreadable nor changed.
inline bool isTransient(Fault fault) noexcept { return describe(fault).retryable; }

} // namespace skillhost
