// SPDX-License-Identifier: Apache-2.0
// Describes the table of keys for people and programs: the example configuration, the table of
// doc/configuration.md, the JSON Schema, and the configuration in effect.
#pragma once

#include "app/configuration.hpp"

#include <string>

namespace skillhost::app {

// Returns YAML with every key at its default and a comment for each. It reads back as the defaults.
std::string exampleConfiguration();
// Returns JSON with every key at its default. It reads back as the defaults.
std::string exampleConfigurationAsJson();
// Returns the table of doc/configuration.md in GitHub's Markdown.
std::string configurationTable();
// Returns an indented JSON Schema, draft 2020-12.
std::string configurationSchema();
// Returns the configuration in effect as YAML, with ***masked*** in place of secrets. Without
// secrets it reads back as the same configuration.
std::string printedConfiguration(const Configuration &configuration, const std::string &file);

} // namespace skillhost::app
