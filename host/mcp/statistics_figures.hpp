// SPDX-License-Identifier: Apache-2.0
// The parts of the statistics that come from the registry of metrics.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {

// Objects, by method, by tool, by plugin instance.
struct CallStatistics {
  Json methods, tools, instances;
};
CallStatistics callStatistics();

} // namespace skillhost
