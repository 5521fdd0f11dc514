// SPDX-License-Identifier: Apache-2.0
// skillhost://versions/SOURCE/PATH: what a skill was before, for those who manage the server.
#pragma once

#include "mcp/own_resources.hpp"

#include <string_view>

namespace skillhost {

// What stands before the id of a skill, as encodePath() writes it, and perhaps "?version=NUMBER".
inline constexpr std::string_view versionsPrefix = "skillhost://versions/";

void readVersions(const CallPointer &call, const OwnResource &resource);

} // namespace skillhost
