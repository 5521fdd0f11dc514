// SPDX-License-Identifier: Apache-2.0
// What a request and an answer may at most be. A violation names path, limit and actual value.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace skillhost {

struct Limits {
  std::size_t requestBytes = 10U << 20U;
  std::size_t arrayItems = 100;
  std::map<std::string, std::size_t> toolArrayItems; // by tool, before arrayItems
  std::size_t stringCharacters = 100'000;
  std::size_t depth = 10; // of a tool's arguments
  std::size_t responseBytes = 1U << 20U;
  std::size_t listItems = 100; // when the caller names no limit
  std::size_t memoryBytes = 0; // resident memory of the process; 0: no limit
};

// How many JSON values a message may have in all: what the largest array of a tool may hold, four
// times, and no less than 100,000.
std::size_t messageValues(const Limits &limits) noexcept;

// Checks a tool's arguments before its handler sees them. Never throws.
Status checkArguments(const Limits &limits, std::string_view tool, const Json &arguments);

} // namespace skillhost
