// SPDX-License-Identifier: Apache-2.0
// Writes the SKILL.md of a generated skill.
#pragma once

#include "generate/server_description.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct SkillDocument {
  const std::string &name;
  const ServerDescription &server;
  const std::vector<std::string> &toolFiles; // parallel to the server's tools
};
std::string skillDocument(const SkillDocument &document);

// Returns the description for the front matter of the skill `name`: when to use the server, in at
// most 1,024 characters. The wording is ours, except for the names of the server and its tools,
// which are only included if they cannot form a sentence.
std::string skillDescription(const std::string &name, const ServerDescription &server);

} // namespace skillhost
