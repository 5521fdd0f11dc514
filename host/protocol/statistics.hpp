// SPDX-License-Identifier: Apache-2.0
// The figures of the running server, as get_server_stats and the resource skillhost://stats tell
// them.
#pragma once

#include "base/json.hpp"

#include <string_view>

namespace skillhost {

class Catalogue;
struct Services;

inline constexpr std::string_view statisticsUri = "skillhost://stats";

Json serverStatistics(Services &services, const Catalogue &catalogue);

} // namespace skillhost
