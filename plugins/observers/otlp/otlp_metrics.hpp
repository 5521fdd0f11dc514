// SPDX-License-Identifier: Apache-2.0
// The figures as OTLP's metrics: names as in a scrape, units as UCUM has them, and the duration of
// requests as the semantic conventions for MCP name it.
#pragma once

#include "base/metrics.hpp"
#include "otlp_traces.hpp"

#include <cstdint>

namespace skillhost::telemetry {

// `count`: of series. Times in nanoseconds since 1970-01-01 UTC; `since`: of counters.
Elements metricElements(const metrics::Registry &registry, std::int64_t since, std::int64_t now);

} // namespace skillhost::telemetry
