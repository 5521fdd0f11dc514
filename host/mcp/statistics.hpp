// SPDX-License-Identifier: Apache-2.0
// The figures of the running server, for get_server_stats and the resource skillhost://stats.
#pragma once

#include "ground/json.hpp"

#include <string_view>

namespace skillhost {

class Call;

inline constexpr std::string_view statisticsUri = "skillhost://stats";

// Returns the figures that the caller may know.
Json serverStatistics(const Call &call);
// Returns the list of plugins in them; empty for a caller from whom something is hidden.
Json pluginStatistics(const Call &call);

} // namespace skillhost
