// SPDX-License-Identifier: Apache-2.0
// Files that are read and replaced as a whole: whoever reads one has the old or the new, whatever
// happens meanwhile.
#pragma once

#include "ground/replace_file.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::files {

// As skillhost::writeFileBeside(), mode 0600: several processes may write the same name. Throws
// skh::Error(SKH_UNAVAILABLE) when the disk refuses.
void writeFile(const std::string &path, std::string_view bytes, Flush flush);

// The same in the folder that this descriptor is of, wherever its path leads by now. What is thrown
// names the file without its folder.
void writeFile(int folder, const std::string &name, std::string_view bytes, Flush flush);

// Brings to disk what was written in the file system of a folder: one wait for many files.
void flushAll(const std::string &folder);

// True if it is a folder of this user's, and no link. Only there may everything be removed that
// nobody names: a link may lead to files of somebody else, or of another program.
bool isOwnFolder(const std::string &path) noexcept;

using skillhost::removeRemains;

// Of everything in the folder, in any order; none when it cannot be listed.
std::vector<std::string> namesIn(int folder);

// Nothing is "", as is a file of more than `most` bytes. Throws std::bad_alloc alone.
std::string readWhole(const std::string &path, std::size_t most);
std::string readWhole(int folder, const std::string &name, std::size_t most);

} // namespace skillhost::files
