// SPDX-License-Identifier: Apache-2.0
// The SKILL.md of a generated skill.
#pragma once

#include "generate/server_description.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct SkillDocument {
  const std::string &name;
  const ServerDescription &server;
  const std::vector<std::string> &toolFiles; // in step with the server's tools
};
std::string skillDocument(const SkillDocument &document);

// For the front matter: what the server is and when to use it, at most 1,024 characters.
std::string skillDescription(const ServerDescription &server);

} // namespace skillhost
