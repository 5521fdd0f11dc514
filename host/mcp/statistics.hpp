// SPDX-License-Identifier: Apache-2.0
// The figures of the running server, as get_server_stats and the resource skillhost://stats tell
// them.
#pragma once

#include "ground/json.hpp"

#include <string_view>

namespace skillhost {

class Call;

inline constexpr std::string_view statisticsUri = "skillhost://stats";

// As the caller may know them.
Json serverStatistics(const Call &call);
// The list of plugins in it; empty for whom something is hidden from.
Json pluginStatistics(const Call &call);

} // namespace skillhost
