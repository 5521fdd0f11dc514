// SPDX-License-Identifier: Apache-2.0
#include "real_path.hpp"

#include "paths/names.hpp"

#include <array>
#include <climits>
#include <cstdlib>

namespace skillhost::filesystem {

std::string realPath(const Root &root, const std::string &path, const struct stat &status) {
  const std::string whole = path.empty() ? root.canonical : paths::joined(root.canonical, path);
  std::array<char, PATH_MAX> buffer{};
  struct stat found{};
  if (::realpath(whole.c_str(), buffer.data()) == nullptr || ::stat(buffer.data(), &found) != 0 ||
      found.st_dev != status.st_dev || found.st_ino != status.st_ino)
    return {};
  return buffer.data();
}

} // namespace skillhost::filesystem
