// SPDX-License-Identifier: Apache-2.0
// Where a path leads once its symbolic links are followed.
#pragma once

#include "roots.hpp"

#include <sys/stat.h>

#include <string>

namespace skillhost::filesystem {

// The absolute path without symbolic links of what `path` below the root leads to. Empty when that
// is no longer what has this status.
std::string realPath(const Root &root, const std::string &path, const struct stat &status);

// The folder it is in: "/a" of "/a/b".
inline std::string_view folderOf(std::string_view path) noexcept {
  return path.substr(0, path.rfind('/'));
}

} // namespace skillhost::filesystem
