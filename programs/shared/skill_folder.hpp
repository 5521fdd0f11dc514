// SPDX-License-Identifier: Apache-2.0
// A skill's folder on this machine, read whole.
#pragma once

#include "ground/result.hpp"
#include "skillmd/assessment.hpp"
#include "store/content.hpp"

#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// Every file below it but .git, within the limits of a store. Follows no link: one is refused, as
// is anything that is neither a file nor a folder. Throws std::runtime_error, which names it.
store::Content readSkillFolder(const std::string &folder);

struct SkillDocuments {
  store::Content content;
  std::vector<std::pair<std::string, std::string>> leftOut; // a path on this machine, and why
};

// The same without what is no document of the skill: litter, files of secrets, pointers of Git LFS.
SkillDocuments readSkillDocuments(const std::string &folder);

// The file, of at most `most` bytes. Throws std::runtime_error.
std::string readWholeFile(const std::string &path, std::size_t most);

// What the front matter of a SKILL.md says of the skill; its name is `fallback` when it says none.
// Fails as nameInDocument() does.
Result<SkillFields> fieldsInDocument(const std::string &document, const std::string &fallback,
                                     const std::string &file);

// What the front matter of a SKILL.md calls the skill; `fallback` when it says nothing. Fails as
// `skillhost validate` does when it could not be served at all; `file` is named then.
Result<std::string> nameInDocument(const std::string &document, const std::string &fallback,
                                   const std::string &file);

} // namespace skillhost
