// SPDX-License-Identifier: Apache-2.0
// Lines of the log as OTLP's spans and log records. A line about a call is its record: what it says
// field by field becomes a span by the semantic conventions for MCP.
#pragma once

#include "line_queue.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::telemetry {

struct Elements {
  std::string text; // of a JSON list
  std::size_t count = 0;
};

struct SpansAndRecords {
  Elements spans, records;
};

// Whether members of a line, as text, are those of a call.
bool isAboutCall(std::string_view members);

// A call whose caller does not record its trace has no span. `transport`: network.transport.
SpansAndRecords spansAndRecords(const std::vector<Line> &lines, std::string_view transport);

} // namespace skillhost::telemetry
