// SPDX-License-Identifier: Apache-2.0
// Reads the files of a skill, as they are in the repository.
#pragma once

#include "ground/result.hpp"
#include "objects.hpp"
#include "skills/library.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::git {

// Returns a key that changes whenever the bytes of a file may have changed.
std::string keyOf(const Skill &skill);
// Returns the first file whose path a repository cannot have (isSafePath); empty if there is none.
std::string unsafeFileOf(const Skill &skill);

// Returns the first file whose path some system takes for that of an earlier one; empty if there is
// none.
std::string collidingFileOf(const std::vector<File> &files);

// Reads all files with safe paths. Fails with TooLarge if the skill has more than 16 MiB, with
// Stale if a file has changed since the catalogue was made, and with the failure of the source.
// Calls `answer` once, on this thread or on one of the source's executor.
void readFiles(Library &library, const std::shared_ptr<const Skill> &skill,
               std::function<void(Result<std::vector<File>>)> answer);

} // namespace skillhost::git
