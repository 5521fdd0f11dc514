// SPDX-License-Identifier: Apache-2.0
// Gives out names and URIs in order: the first to ask has them.
#pragma once

#include "skills/skill.hpp"

#include <map>
#include <string>
#include <vector>

namespace skillhost {

class Places {
public:
  // The name that tools take. Says in `findings` whose it was when it cannot be the bare one.
  std::string name(const Skill &skill, std::vector<Finding> &findings);
  // Whether its URI is its own.
  bool uri(const Skill &skill, std::vector<Finding> &findings);

private:
  std::map<std::string, std::string> names_, uris_; // what is taken -> by which skill
};

} // namespace skillhost
