// SPDX-License-Identifier: Apache-2.0
// Lists the content of a store by the names of its folders alone.
#pragma once

#include "store/folder.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::store {

// Folders in which the holder of the lock writes a version, and to which it moves what it removes.
// While nobody holds the lock, they are rubbish of a writer that died.
constexpr const char *beingWritten = ".skillhost-new";
constexpr const char *beingRemoved = ".skillhost-gone";

// Returns the versions of one skill, the largest first.
std::vector<std::uint64_t> versionsIn(const Folder &skill);
// Returns the folders of `root` that can be skills, sorted. It does not check whether they have a
// version.
std::vector<std::string> skillFoldersIn(const Folder &root);
// Throws StoreError (Refused) if the folder contains anything that a store does not write, so that
// a folder taken for a store by mistake is not removed.
void requireOwn(const Folder &skill, const std::string &name);
// Returns the number of the last version that a skill had when it was removed; 0 if it never was.
// If the skill is saved again, numbering continues from there, because otherwise readers would take
// it for an older version.
std::uint64_t versionRemoved(const Folder &root, const std::string &name);
// Only for the holder of the lock. The record is on disk when this returns.
void rememberRemoved(const Folder &root, const std::string &name, std::uint64_t version);
// Removes what writers that died have left. Only for the holder of the lock.
void removeRubbish(const Folder &root);

} // namespace skillhost::store
