// SPDX-License-Identifier: Apache-2.0
// The figures of this process in Prometheus' text format, version 0.0.4.
#pragma once

#include "base/metrics.hpp"

#include <string>

namespace skillhost::app {

std::string prometheusText(const metrics::Registry &registry);

} // namespace skillhost::app
