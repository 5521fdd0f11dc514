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

// For the front matter of the skill `name`: when to use the server, at most 1,024 characters. Ours
// but for names (of the server, of its tools), and of those only such as no sentence can be made
// of.
std::string skillDescription(const std::string &name, const ServerDescription &server);

} // namespace skillhost
