// SPDX-License-Identifier: Apache-2.0
// Figures of the process in the registry, by the names that Prometheus' own
// clients have for them.
#pragma once

#include "base/metrics.hpp"

namespace skillhost {

// Lasts as long as what is returned. What /proc does not tell is left out.
[[nodiscard]] metrics::Registry::Collector collectProcess(metrics::Registry &registry);

} // namespace skillhost
