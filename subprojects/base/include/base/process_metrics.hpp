// SPDX-License-Identifier: Apache-2.0
// Figures of the process in the registry, by the names that Prometheus' own
// clients have for them.
#pragma once

#include "base/metrics.hpp"

namespace skillhost {

// Registers the metrics, which stay as long as the result lives. Values that /proc lacks are left
// out.
[[nodiscard]] metrics::Registry::Collector collectProcess(metrics::Registry &registry);

} // namespace skillhost
