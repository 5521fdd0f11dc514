// SPDX-License-Identifier: Apache-2.0
// JSON written as YAML for people.
#pragma once

#include "ground/json.hpp"

#include <string>

namespace skillhost::app {

// In one line: `[a, b]`, `{a: 1}`, `"7"`. Texts are quoted only where YAML asks for it.
std::string yamlInline(const Json &value);
// `key: value`, or `key:` with the parts on lines of their own. Appends; ends with a line feed.
void appendYaml(std::string &out, const std::string &key, const Json &value, std::size_t indent);

} // namespace skillhost::app
