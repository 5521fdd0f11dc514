// SPDX-License-Identifier: Apache-2.0
// Converts lines of the log to spans and log records of OTLP. A line about a call becomes a record,
// and its members become a span by the semantic conventions for MCP.
#pragma once

#include "line_queue.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::telemetry {

// Elements of a JSON list, separated by commas.
struct Elements {
  std::string text;
  std::size_t count = 0;
};

struct SpansAndRecords {
  Elements spans, records;
};

// Returns true if the line with these members (JSON text without braces) reports a call.
bool isAboutCall(std::string_view members);

// Converts the lines. A call gets no span if its caller does not sample the trace. `transport` is
// the attribute network.transport: "tcp" or "pipe".
SpansAndRecords spansAndRecords(const std::vector<Line> &lines, std::string_view transport);

} // namespace skillhost::telemetry
