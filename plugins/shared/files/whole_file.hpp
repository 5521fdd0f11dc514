// SPDX-License-Identifier: Apache-2.0
// Reads and replaces files as a whole, so that a reader always gets the old or the new content.
#pragma once

#include "ground/replace_file.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::files {

// Works as skillhost::writeFileBeside() with mode 0600. Several processes may write the same name.
// Throws skh::Error(SKH_UNAVAILABLE) if the disk refuses.
void writeFile(const std::string &path, std::string_view bytes, Flush flush);

// Does the same in the folder of this descriptor, even if its path leads elsewhere by now. Errors
// name the file without its folder.
void writeFile(int folder, const std::string &name, std::string_view bytes, Flush flush);

// Flushes everything written in the file system of a folder, with one wait for many files.
void flushAll(const std::string &folder);

// True if it is a folder of this user and not a link. Only there may unknown files be removed,
// because a link may lead to files of other users or programs.
bool isOwnFolder(const std::string &path) noexcept;

using skillhost::removeRemains;

// Returns all names in the folder, in any order; none if it cannot be listed.
std::vector<std::string> namesIn(int folder);

// Returns "" if the file is missing or has more than `maxBytes` bytes. Only throws std::bad_alloc.
std::string readWhole(const std::string &path, std::size_t maxBytes);
std::string readWhole(int folder, const std::string &name, std::size_t maxBytes);

} // namespace skillhost::files
