// SPDX-License-Identifier: Apache-2.0
// The figures of this process as text: Prometheus' format 0.0.4, or OpenMetrics 1.0.
#pragma once

#include "base/metrics.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

enum class MetricsForm : std::uint8_t { Prometheus, OpenMetrics };

// OpenMetrics where the Accept field names it.
MetricsForm metricsForm(std::string_view accept);
std::string_view contentType(MetricsForm form) noexcept; // a literal

// Those that `isTold` says; of a histogram nothing before its first value. The name of a counter
// ends with _total, also where a plugin has left it out; of two that have one name then, the second
// is left out.
std::string metricsText(const metrics::Registry &registry, MetricsForm form,
                        const std::function<bool(const metrics::SeriesName &name)> &isTold);

} // namespace skillhost
