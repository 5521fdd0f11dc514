// SPDX-License-Identifier: Apache-2.0
// Metrics in the form of OTLP: their names are those of a scrape, their units those of UCUM, and
// the duration of requests has the name of the semantic conventions for MCP.
#pragma once

#include "base/metrics.hpp"
#include "otlp_traces.hpp"

#include <cstdint>

namespace skillhost::telemetry {

// `count` of the result is the number of series. Times are in nanoseconds since 1970-01-01 UTC;
// `since` is the start of counters.
Elements metricElements(const metrics::Registry &registry, std::int64_t since, std::int64_t now);

} // namespace skillhost::telemetry
