// SPDX-License-Identifier: Apache-2.0
// Metrics of the process, with the names that Prometheus' own clients give them.
#pragma once

#include "base/metrics.hpp"

namespace skillhost {

// Registers the metrics, which stay as long as the result lives. Values that /proc lacks are left
// out.
[[nodiscard]] metrics::Registry::Collector collectProcess(metrics::Registry &registry);

} // namespace skillhost
