// SPDX-License-Identifier: Apache-2.0
// The SKILL.md files at and below a path of this machine, and what lies beside them.
#pragma once

#include "beneath/hidden_skills.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {

// Whether folders are looked into whose names begin with a dot; .git never is.
enum class HiddenFolders : std::uint8_t { PassOver, LookInto };

struct SkillFiles {
  using Reasons = std::vector<std::pair<std::string, std::string>>; // a path, and why
  std::vector<std::string> documents;                               // sorted
  // By document: the files of its skill, itself among them, sorted. None for a path that is a file.
  std::map<std::string, std::vector<std::string>> files;
  Reasons unreadable;
  Reasons passedOver; // links that a server passes over
  Reasons followed;   // links that lead out of the folder and are followed, with their targets
  Reasons asText;     // links that git has written as a text, with their targets
  beneath::HiddenSkills hidden;     // passed over with HiddenFolders::PassOver
  std::vector<std::string> secrets; // files and folders of skills that hold one, by their names
  // Maps each document to the sorted paths in its skill's folder that are none of its files, though
  // they may be read or run there.
  std::map<std::string, std::vector<std::string>> hiddenFolders; // with HiddenFolders::PassOver
  std::map<std::string, std::vector<std::string>> litter;        // folders, and compiled Python
};

// A file is itself the only document. Below a folder, every folder counts that holds a SKILL.md, in
// any case of its letters. Links are followed as a server follows them whose directory `path` is:
// from one file or folder of a skill to another of the same, and to the folder of a whole skill
// below `path`, but not into a folder that they lie in. Links directly in `path` may lead out of it
// into one of `linkTargets`, absolute paths, as beneath::judgeTopLink() says.
SkillFiles findSkillFiles(const std::string &path, HiddenFolders hidden,
                          const std::vector<std::string> &linkTargets = {});

} // namespace skillhost::app
