// SPDX-License-Identifier: Apache-2.0
// What lies in a store, by the names of its folders alone.
#pragma once

#include "store/folder.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::store {

// Where the holder of the lock writes a version, and moves what is to be removed. What lies there
// while nobody has the lock is rubbish of a writer that died.
constexpr const char *beingWritten = ".skillhost-new";
constexpr const char *beingRemoved = ".skillhost-gone";

// Of one skill, the largest first.
std::vector<std::uint64_t> versionsIn(const Folder &skill);
// The folders of `root` that can be skills, sorted; whether they have a version is not looked at.
std::vector<std::string> skillFoldersIn(const Folder &root);
// Throws StoreError (Refused) when there is anything in the folder that no store writes: a folder
// that was taken for a store by mistake is not removed.
void requireOwn(const Folder &skill, const std::string &name);
// The number of the last version that a skill had when it was removed; 0 when it never was. A skill
// of that name that is saved again goes on from there, or readers would take it for an older one.
std::uint64_t versionRemoved(const Folder &root, const std::string &name);
// For the holder of the lock. On disk when it returns.
void rememberRemoved(const Folder &root, const std::string &name, std::uint64_t version);
// Removes what writers that died have left; for the holder of the lock.
void removeRubbish(const Folder &root);

} // namespace skillhost::store
