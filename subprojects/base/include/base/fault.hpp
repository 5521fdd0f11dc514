// SPDX-License-Identifier: Apache-2.0
// The one table that says how each way to fail is told to whom.
#pragma once

#include "ground/fault.hpp"

#include <cstdint>
#include <exception>
#include <string_view>

namespace skillhost {

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

struct FaultInfo {
  Fault fault;
  std::string_view code; // the envelope's error.code
  int jsonRpc;           // the JSON-RPC error code
  int http;              // the HTTP status
  bool retryable;        // may the caller send the same call again?
  LogLevel level;        // how loud the operator hears of it
};

// The words of MemoryPressure.
inline constexpr const char *shortOfMemory = "memory is short: try again in a moment";

// Return the fault of an exception (MemoryPressure or Internal) and the words that a client reads.
Fault faultOfException(const std::exception &why) noexcept;
const char *wordsOfException(const std::exception &why) noexcept;

// The table's row; total, never throws.
const FaultInfo &describe(Fault fault) noexcept;

// True if the same call may succeed later. Such a failure says nothing about the document: it
// counts as neither unreadable nor changed.
inline bool isTransient(Fault fault) noexcept { return describe(fault).retryable; }

} // namespace skillhost
