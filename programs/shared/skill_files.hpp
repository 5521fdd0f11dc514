// SPDX-License-Identifier: Apache-2.0
// Finds the SKILL.md files at and below a local path, and the files beside them.
#pragma once

#include "beneath/hidden_skills.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {

// The treatment of folders whose names begin with a dot. .git is never searched.
enum class HiddenFolders : std::uint8_t { PassOver, LookInto };

struct SkillFiles {
  using Reasons = std::vector<std::pair<std::string, std::string>>; // a path and the reason
  std::vector<std::string> documents;                               // sorted
  // The sorted files of each document's skill, including itself. Empty for a path that is a file.
  std::map<std::string, std::vector<std::string>> files;
  Reasons unreadable;
  // A server skips these names. A folder counts if a skill is in it or below, and is not searched.
  std::vector<std::string> unusableFolders;
  std::vector<std::string> unusableNames; // of other files and folders in skills
  Reasons passedOver;                     // links that a server ignores
  Reasons followed;                       // followed links out of the folder, with targets
  Reasons asText;                         // links that git has written as text, with targets
  beneath::HiddenSkills hidden;           // skills ignored with HiddenFolders::PassOver
  std::vector<std::string> secrets;       // files and folders of skills with secret names
  // These map each document to the sorted paths in its skill's folder that are not among its files,
  // although they may be read or executed there.
  std::map<std::string, std::vector<std::string>> hiddenFolders; // with HiddenFolders::PassOver
  std::map<std::string, std::vector<std::string>> litter;        // folders, and compiled Python
};

// Finds the skills at `path`. A file is itself the only document. Below a folder, every folder with
// a SKILL.md counts, in any case. Links are followed as a server does for the directory `path`:
// from one file or folder of a skill to another of the same skill, and to the folder of a whole
// skill below `path`, but not into a folder that contains the link. Links directly in `path` may
// lead out of it into one of `linkTargets`, which are absolute paths, by the rules of
// beneath::checkTopLink().
SkillFiles findSkillFiles(const std::string &path, HiddenFolders hidden,
                          const std::vector<std::string> &linkTargets = {});

} // namespace skillhost::app
