// SPDX-License-Identifier: Apache-2.0
// The time limits of calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace skillhost {

// Every tool belongs to one category. Query looks something up. Mutation changes what a session or
// the server remembers. Scan reads every source. Execution is long work.
enum class ToolCategory : std::uint8_t { Query, Mutation, Scan, Execution };

struct Deadlines {
  std::chrono::milliseconds query{10'000}; // also for requests that call no tool
  std::chrono::milliseconds mutation{30'000};
  std::chrono::milliseconds scan{120'000};
  std::chrono::milliseconds execution{1'200'000};
  std::map<std::string, std::chrono::milliseconds, std::less<>>
      tools; // by tool name, in place of the category

  std::chrono::milliseconds of(std::string_view tool, ToolCategory category) const;
};

} // namespace skillhost
