// SPDX-License-Identifier: Apache-2.0
// This takes from the configuration what is kept of earlier versions of skills.
#pragma once

#include "app/configuration.hpp"
#include "settings.hpp"

#include <map>
#include <string>

namespace skillhost::app {

// The path is that of versions.path, else of versions.sqlite in the cache folder; empty when there
// is none.
VersionSettings versionSettings(const Configuration &configuration);

// What says, for each source that is enabled, whether its skills are those of a history: its name,
// its plugin, and the texts of its config without secrets, such as a path, a URL or a branch. A
// number or a switch may change, and the history goes on.
std::map<std::string, std::string> versionMarks(const Configuration &configuration);

} // namespace skillhost::app
