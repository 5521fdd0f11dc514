// SPDX-License-Identifier: Apache-2.0
// skillhost://versions/SOURCE/PATH: what a skill was before, for those who manage the server.
#pragma once

#include "mcp/own_resources.hpp"
#include "version_recorder.hpp"

#include <memory>
#include <string_view>

namespace skillhost {

// What stands before the id of a skill, as encodePath() writes it, and perhaps "?version=NUMBER".
inline constexpr std::string_view versionsPrefix = "skillhost://versions/";

// One resource stands for all skills, in no list. If `versions` is null, it says that none are
// kept.
OwnResource versionResources(std::shared_ptr<VersionRecorder> versions);

} // namespace skillhost
