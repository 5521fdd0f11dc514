// SPDX-License-Identifier: Apache-2.0
// Resolves symbolic links in paths.
#pragma once

#include "roots.hpp"

#include <sys/stat.h>

#include <string>

namespace skillhost::filesystem {

// Returns the absolute path without symbolic links of the target of `path` below the root. Empty if
// the target no longer has this status.
std::string realPath(const Root &root, const std::string &path, const struct stat &status);

// Returns the folder of a path: "/a" for "/a/b".
inline std::string_view folderOf(std::string_view path) noexcept {
  return path.substr(0, path.rfind('/'));
}

} // namespace skillhost::filesystem
