// SPDX-License-Identifier: Apache-2.0
// Metrics of the process and of this build, under the names that Prometheus' own clients use.
#pragma once

#include "base/metrics.hpp"

namespace skillhost::app {

// Registers the metrics, which stay as long as the result lives. Values that /proc lacks are left
// out.
[[nodiscard]] metrics::Registry::Collector collectProcess(metrics::Registry &registry);

} // namespace skillhost::app
