// SPDX-License-Identifier: Apache-2.0
// The resources skillhost://versions/SOURCE/PATH: earlier versions of a skill, for managers of the
// server.
#pragma once

#include "mcp/own_resources.hpp"
#include "version_recorder.hpp"

#include <memory>
#include <string_view>

namespace skillhost {

// Prefix of the id of a skill, as encodePath() writes it, which "?version=NUMBER" may follow.
inline constexpr std::string_view versionsPrefix = "skillhost://versions/";

// Returns one resource for all skills, which is in no list. If `versions` is null, it says that
// none are kept.
OwnResource versionResources(std::shared_ptr<VersionRecorder> versions);

} // namespace skillhost
