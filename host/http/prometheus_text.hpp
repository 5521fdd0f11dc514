// SPDX-License-Identifier: Apache-2.0
// The figures of this process in Prometheus' text format, version 0.0.4.
#pragma once

#include "base/metrics.hpp"

#include <functional>
#include <string>

namespace skillhost {

// Those that `isTold` says.
std::string prometheusText(const metrics::Registry &registry,
                           const std::function<bool(const metrics::SeriesName &name)> &isTold);

} // namespace skillhost
