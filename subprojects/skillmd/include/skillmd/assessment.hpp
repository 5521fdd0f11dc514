// SPDX-License-Identifier: Apache-2.0
// From front matter to the fields of a skill, and to the verdict where it may be served.
#pragma once

#include "skillmd/front_matter.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct SkillFields {
  std::string name;     // as it is written, or the folder's
  std::string toolName; // what tools call it, if no other skill has that name: see slug.hpp
  std::string title, description, category, version, license, compatibility;
  std::vector<std::string> keywords, allowedTools;
  bool autoActivate = false;
  // By the basic rules a skill is served under its name as it is written, or not at all.
  bool ownNameAlone = false;
  // `allowed-tools` is a list, as Claude Code has it, not text, as the format says: not every
  // client of skills/list takes it.
  bool listsTools = false;
  // The author lets only users ask for the skill (disable-model-invocation), or only models choose
  // it (user-invocable: false).
  bool hiddenFromModels = false, hiddenFromUsers = false;
  // There is a category that could not be read for sure: every rule by category holds for the
  // skill.
  bool categoryUnsure = false;
  std::string frontMatter; // all of it, verbatim: the text of a JSON object
};

// The code of the finding that the name is not that of the skill's folder.
inline constexpr const char *otherFolderCode = "name-folder-mismatch";

struct Assessment {
  std::optional<SkillFields> fields; // empty: the skill is skipped, and an error says why
  bool servedByExtension = false;    // it obeys every rule of skills/list
  std::vector<Finding> findings;
};

// `folderName` is the folder that holds the document, empty when unknown. Any thread.
Assessment assess(const FrontMatter &matter, std::string_view folderName, std::string_view file,
                  Strictness strictness);

} // namespace skillhost
