// SPDX-License-Identifier: Apache-2.0
// Converts front matter to the fields of a skill, and decides where the skill may be served.
#pragma once

#include "skillmd/front_matter.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct SkillFields {
  std::string name; // as the author wrote it; if there is none, the folder's name
  // The name under which tools serve the skill, unless another skill wins it: see slug.hpp and
  // claimsBefore() in host/skills.
  std::string toolName;
  std::string title, description, category, version, license, compatibility;
  std::vector<std::string> keywords, allowedTools;
  bool autoActivate = false;
  // True by the basic rules: if another skill wins its name, the skill is not served at all.
  bool mustKeepName = false;
  // `allowed-tools` is a list, as in Claude Code, and not text, as in the format. Some clients of
  // skills/list refuse it.
  bool listsTools = false;
  // The author allows only users to choose the skill (disable-model-invocation), or only models
  // (user-invocable: false).
  bool hiddenFromModels = false, hiddenFromUsers = false;
  // The category could not be read reliably. To be safe, every rule by category applies to the
  // skill.
  bool isCategoryUnsure = false;
  std::string frontMatter; // the whole front matter as a JSON object
};

// The code of the finding that a skill's name differs from its folder's.
inline constexpr const char *otherFolderCode = "name-folder-mismatch";

struct Assessment {
  std::optional<SkillFields> fields; // empty: skipped, with an error
  bool servedByExtension = false;    // obeys every rule of skills/list
  std::vector<Finding> findings;
};

// `folderName` is the folder of the document, or empty if unknown. May be called on any thread.
Assessment assess(const FrontMatter &matter, std::string_view folderName, std::string_view file,
                  Strictness strictness);

} // namespace skillhost
