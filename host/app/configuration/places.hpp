// SPDX-License-Identifier: Apache-2.0
// Where a setting was written: for what is found wrong once the configuration has been read.
#pragma once

#include "app/configuration.hpp"
#include "jsonschema/setting_problem.hpp"

#include <string>
#include <string_view>

namespace skillhost::app {

// The key, in Configuration::places and SourceConfiguration, of a folder of skills_dirs.
std::string folderKey(std::string_view folder);

// `file:3:5: sources[0].config.url: why`, one a line, secrets masked. `key` begins the keys of the
// plugin: "sources[0]", "search".
std::string located(const Configuration &configuration, const std::string &key,
                    const SettingProblems &problems);

} // namespace skillhost::app
