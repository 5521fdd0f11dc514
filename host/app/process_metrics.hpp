// SPDX-License-Identifier: Apache-2.0
// Figures of the process and of this build in the registry, by the names that Prometheus' own
// clients have for them.
#pragma once

#include "base/metrics.hpp"

namespace skillhost::app {

// Lasts as long as what is returned. What /proc does not tell is left out.
[[nodiscard]] metrics::Registry::Collector collectProcess(metrics::Registry &registry);

} // namespace skillhost::app
