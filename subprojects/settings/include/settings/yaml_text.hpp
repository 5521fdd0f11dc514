// SPDX-License-Identifier: Apache-2.0
// Writes JSON as YAML for people.
#pragma once

#include "ground/json.hpp"

#include <string>

namespace skillhost::settings {

// Returns one line: `[a, b]`, `{a: 1}`, `"7"`. Texts are quoted only where YAML requires it.
std::string yamlInline(const Json &value);
// Appends `key: value`, or `key:` with the parts on their own lines. Ends with a line feed.
void appendYaml(std::string &out, const std::string &key, const Json &value, std::size_t indent);

} // namespace skillhost::settings
