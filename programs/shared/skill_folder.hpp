// SPDX-License-Identifier: Apache-2.0
// Reads a local skill folder as a whole.
#pragma once

#include "ground/result.hpp"
#include "skillmd/assessment.hpp"
#include "store/content.hpp"

#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// Returns every file below it except .git, within the limits of a store. Refuses links, and
// anything that is neither a file nor a folder. Throws std::runtime_error with the path.
store::Content readSkillFolder(const std::string &folder);

struct SkillDocuments {
  store::Content content;
  std::vector<std::pair<std::string, std::string>> leftOut; // a local path and the reason
};

// Does the same without files that are no documents of the skill: litter, secrets, Git LFS
// pointers.
SkillDocuments readSkillDocuments(const std::string &folder);

// Reads a file of at most `maxBytes` bytes. Throws std::runtime_error.
std::string readWholeFile(const std::string &path, std::size_t maxBytes);

// Returns the fields in the front matter of a SKILL.md, with the name `fallback` if it has none.
// Fails like nameInDocument().
Result<SkillFields> fieldsInDocument(const std::string &document, const std::string &fallback,
                                     const std::string &file);

// Returns the name in the front matter of a SKILL.md, or else `fallback`. Fails like `skillhost
// validate` if the skill could not be served at all; the failure names `file`.
Result<std::string> nameInDocument(const std::string &document, const std::string &fallback,
                                   const std::string &file);

} // namespace skillhost
