// SPDX-License-Identifier: Apache-2.0
// What an MCP server says of itself. All of it is a stranger's words.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace skillhost {

struct ServerDescription {
  std::string name, title, version, instructions; // valid UTF-8; empty when it does not say
  std::string protocol;                           // the revision it was asked in
  // Objects as they came, each with a `name` (a resource: with a `uri`) that is a text, not empty
  // and that of no other; sorted by it.
  std::vector<Json> tools, resources, templates, prompts;
  std::vector<std::string> remarks; // on what was left out, one line each
};

} // namespace skillhost
