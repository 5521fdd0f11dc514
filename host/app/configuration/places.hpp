// SPDX-License-Identifier: Apache-2.0
// Finds the place where a setting was written, for problems that are found after the configuration
// has been read.
#pragma once

#include "app/configuration.hpp"
#include "jsonschema/setting_problem.hpp"

#include <string>
#include <string_view>

namespace skillhost::app {

// Returns the key of a folder of skills_dirs in Configuration::places and SourceConfiguration.
std::string folderKey(std::string_view folder);

// Returns a line for each problem, `file:3:5: sources[0].config.url: why`, with masked secrets.
// `key` begins the keys of the plugin: "sources[0]", "search".
std::string located(const Configuration &configuration, const std::string &key,
                    const SettingProblems &problems);

} // namespace skillhost::app
