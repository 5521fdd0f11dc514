// SPDX-License-Identifier: Apache-2.0
// The largest sizes of requests and answers.
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
  std::map<std::string, std::size_t> toolArrayItems; // by tool name, in place of arrayItems
  std::size_t stringCharacters = 100'000;
  std::size_t depth = 10; // of a tool's arguments
  std::size_t responseBytes = 1U << 20U;
  std::size_t listItems = 100; // of one list in a tool's result, whatever the caller asks for
  std::size_t memoryBytes = 0; // resident memory of the process; 0: no limit
};

// Returns how many JSON values a message may have in all: four times the largest array that a tool
// accepts, and at least 100,000.
std::size_t maxMessageValues(const Limits &limits) noexcept;

// Checks a tool's arguments before its handler sees them. Finds every violation up to
// maxViolations, but does not look into a value that is over a limit.
std::vector<Violation> checkArguments(const Limits &limits, std::string_view tool,
                                      const Json &arguments);

} // namespace skillhost
