// SPDX-License-Identifier: Apache-2.0
// The SKILL.md files at and below a path of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {

// Whether folders are looked into whose names begin with a dot; .git never is.
enum class HiddenFolders : std::uint8_t { PassOver, LookInto };

struct SkillFiles {
  std::vector<std::string> documents;                          // sorted
  std::vector<std::pair<std::string, std::string>> unreadable; // a path, and why
};

// A file is itself the only document. Below a folder, every folder counts that holds a SKILL.md, in
// any case of its letters; links to folders are passed over.
SkillFiles findSkillFiles(const std::string &path, HiddenFolders hidden);

} // namespace skillhost::app
