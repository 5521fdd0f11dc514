// SPDX-License-Identifier: Apache-2.0
// The largest request and answer that are taken.
#pragma once

#include "ground/json.hpp"
#include "runtime/violation.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct Limits {
  std::size_t requestBytes = 10U << 20U;
  std::size_t arrayItems = 100;
  std::map<std::string, std::size_t> toolArrayItems; // by tool, before arrayItems
  std::size_t stringCharacters = 100'000;
  std::size_t depth = 10; // of a tool's arguments
  std::size_t responseBytes = 1U << 20U;
  std::size_t listItems = 100; // of one list in a tool's result, whatever the caller asks for
  std::size_t memoryBytes = 0; // resident memory of the process; 0: no limit
};

// How many JSON values a message may have in all: what the largest array of a tool may hold, four
// times, and no less than 100,000.
std::size_t messageValues(const Limits &limits) noexcept;

// Checks a tool's arguments before its handler sees them. Finds every violation up to
// mostViolations; what is over a limit is not looked into.
std::vector<Violation> checkArguments(const Limits &limits, std::string_view tool,
                                      const Json &arguments);

} // namespace skillhost
