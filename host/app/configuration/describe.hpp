// SPDX-License-Identifier: Apache-2.0
// The table of keys for people and programs: example, table of doc/configuration.md, JSON Schema,
// what is in effect.
#pragma once

#include "app/configuration.hpp"

#include <string>

namespace skillhost::app {

// YAML with every key at its default, each commented; reads back as the defaults.
std::string exampleConfiguration();
// JSON with every key at its default; reads back as the defaults.
std::string exampleConfigurationAsJson();
// The table of doc/configuration.md, GitHub's Markdown.
std::string configurationTable();
// JSON Schema, draft 2020-12, indented.
std::string configurationSchema();
// YAML of what is in effect; secrets are ***masked***. Without secrets it reads back as the same.
std::string printedConfiguration(const Configuration &configuration, const std::string &file);

} // namespace skillhost::app
