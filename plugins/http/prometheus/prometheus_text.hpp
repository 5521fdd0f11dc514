// SPDX-License-Identifier: Apache-2.0
// Writes the metrics of this process as text: Prometheus' format 0.0.4, or OpenMetrics 1.0.
#pragma once

#include "base/metrics.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

enum class MetricsForm : std::uint8_t { Prometheus, OpenMetrics };

// Returns OpenMetrics if the Accept field names it and prefers it no less than plain text.
MetricsForm metricsForm(std::string_view accept);
std::string_view contentType(MetricsForm form) noexcept; // a string literal

// Writes the series for which `isTold` returns true. A histogram is left out until it has a value.
// The name of a counter ends with _total, even if a plugin has left it out; if two families then
// have one name, the second is left out.
std::string metricsText(const metrics::Registry &registry, MetricsForm form,
                        const std::function<bool(const metrics::SeriesName &name)> &isTold);

} // namespace skillhost
