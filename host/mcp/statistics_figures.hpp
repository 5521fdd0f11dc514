// SPDX-License-Identifier: Apache-2.0
// Computes the parts of the statistics that come from the registry of metrics.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace skillhost {

enum class StatisticsScope : std::uint8_t { AllSkills, SeenSkills };

// Objects by method, by tool and by plugin instance. With SeenSkills they have no series for which
// countsHiddenSkills() is true.
struct CallStatistics {
  Json methods, tools, instances;
};
CallStatistics callStatistics(StatisticsScope of = StatisticsScope::AllSkills);

} // namespace skillhost
