// SPDX-License-Identifier: Apache-2.0
// The configured directories: opening them, waiting for those that are not there.
#pragma once

#include "root.hpp"
#include "watches.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost::filesystem {

// How far a file system can be relied on.
enum class FileSystem {
  local,   // times come from our clock, inotify tells everything
  layered, // overlay: changes below the top layer go untold
  remote   // network, FUSE, 9p: foreign times, and others' changes go untold
};

// `descriptor`: anything open on it; what cannot be asked counts as local.
FileSystem fileSystemOf(int descriptor) noexcept;

// Watches each folder on the way to `path`, an absolute one, for the next component, so that it is
// noticed when it appears or is exchanged. False when what is missing cannot be waited for.
bool watchTheWay(const std::string &path, Watches &watches);

// Throws skh::Error(SKH_INVALID), naming the setting, when a directory is missing or a file. One
// that cannot be asked about is none of these.
void requireRoots(const std::vector<Directory> &directories);

enum class Missing { Told, Fine }; // whether a directory that does not exist is worth a warning

// Opens the directory and watches the way to it, so that it is noticed when it appears or is
// exchanged. Gives `previous` back while it still is that directory; that one may be nullptr.
// nullptr when it cannot be opened; a warning says why, once until it is there again. `trouble`
// becomes the reason when it is there and cannot be read.
std::shared_ptr<const Root> openRoot(const Directory &directory,
                                     const std::shared_ptr<const Root> &previous, Missing missing,
                                     Watches &watches, Warnings &warnings, std::string &trouble);

} // namespace skillhost::filesystem
