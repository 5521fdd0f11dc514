// SPDX-License-Identifier: Apache-2.0
// The SKILL.md files at and below a path of this machine.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {

struct SkillFiles {
  std::vector<std::string> documents;                          // sorted
  std::vector<std::pair<std::string, std::string>> unreadable; // a path, and why
};

// A file is itself the only document. Below a folder, every folder counts that holds a SKILL.md, in
// any case of its letters; hidden folders and links to folders are passed over.
SkillFiles findSkillFiles(const std::string &path);

} // namespace skillhost::app
