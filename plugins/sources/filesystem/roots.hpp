// SPDX-License-Identifier: Apache-2.0
// Opens the configured directories and waits for missing ones.
#pragma once

#include "root.hpp"
#include "snapshot.hpp"
#include "watches.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost::filesystem {

// Watches each folder on the way to the absolute `path` for its next component, to notice that it
// appears or is replaced. Returns false if a missing component cannot be waited for.
bool watchPath(const std::string &path, Watches &watches);

// Throws skh::Error(SKH_INVALID) naming the setting, if a directory is missing or is a file. A
// directory that cannot be examined is accepted.
void requireRoots(const std::vector<Directory> &directories);

enum class MissingDirectory { Fail, Accept }; // whether a missing directory is trouble

// Opens the directory and watches the way to it, to notice that it appears or is replaced. Returns
// `previous`, which may be nullptr, if it still is that directory. Returns nullptr if it cannot be
// opened; a warning says why, once until it is back. `trouble` is then set, unless the directory is
// missing and may be.
std::shared_ptr<const Root> openRoot(const Directory &directory,
                                     const std::shared_ptr<const Root> &previous,
                                     MissingDirectory missing, Watches &watches, Warnings &warnings,
                                     Trouble &trouble);

} // namespace skillhost::filesystem
