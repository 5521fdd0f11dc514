// SPDX-License-Identifier: Apache-2.0
// An MCP server's description of itself. All of it is a stranger's text.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace skillhost {

struct ServerDescription {
  std::string name, title, version, instructions; // valid UTF-8; empty if not given
  std::string protocol;                           // the revision in use
  // The objects as received, sorted by `name` (resources: `uri`), which is a unique text and not
  // empty.
  std::vector<Json> tools, resources, templates, prompts;
  std::vector<std::string> remarks; // omitted parts, one line each
};

} // namespace skillhost
