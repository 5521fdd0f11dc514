// SPDX-License-Identifier: Apache-2.0
// Reads the settings of earlier versions of skills from the configuration.
#pragma once

#include "app/configuration.hpp"
#include "settings.hpp"

#include <map>
#include <string>

namespace skillhost::app {

// The path is versions.path, or versions.sqlite in the cache folder; empty if there is neither.
VersionSettings versionSettings(const Configuration &configuration);

// Returns a mark for each enabled source, by its name. Skills share a history as long as the mark
// of their source is the same. It is made of the source's name, its plugin and the texts of its
// config without secrets, such as a path, a URL or a branch. Changes of numbers and switches do not
// change it.
std::map<std::string, std::string> versionMarks(const Configuration &configuration);

} // namespace skillhost::app
