// SPDX-License-Identifier: Apache-2.0
#include "roots.hpp"

#include "paths/names.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace skillhost::filesystem {
namespace {

std::string whyNoFolder(const std::string &path, bool isThere) {
  if (!isThere) return " does not exist: create the folder, or write the path of one that is there";
  const std::string target = beneath::linkTextIn(path);
  if (target.empty()) return " is a file: write the path of a folder";
  return " is a file, into which git has written a symbolic link to " + paths::printable(target) +
         " as a text, because core.symlinks is false: switch that on and check it out again, or "
         "write the path of the folder";
}

bool same(const Descriptor &one, const Descriptor &other) noexcept {
  struct stat left{};
  struct stat right{};
  return ::fstat(one.number(), &left) == 0 && ::fstat(other.number(), &right) == 0 &&
         left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

std::string canonicalPath(const std::string &path) {
  std::array<char, PATH_MAX> buffer{};
  const char *const resolved = ::realpath(path.c_str(), buffer.data());
  return resolved != nullptr ? resolved : path;
}

} // namespace

// Must be called before the directory is opened, so that a directory that appears afterwards is
// reported.
bool watchPath(const std::string &path, Watches &watches) {
  bool watched = false;
  for (std::size_t at = 0; at != std::string::npos && at + 1 < path.size();) {
    const std::size_t end = path.find('/', at + 1);
    const std::string folder = at == 0 ? "/" : path.substr(0, at);
    const std::string name = path.substr(at + 1, end == path.npos ? end : end - at - 1);
    const Descriptor open(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct stat status{};
    if (!open || ::fstat(open.number(), &status) != 0) return watched;
    watched = watches.await(open.number(), {status.st_dev, status.st_ino}, name);
    // The link leads nowhere. Its target would appear in a folder that is not watched.
    struct stat next{};
    if (::fstatat(open.number(), name.c_str(), &next, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(next.st_mode) && ::fstatat(open.number(), name.c_str(), &next, 0) != 0) {
      return false;
    }
    at = end;
  }
  return watched;
}

void requireRoots(const std::vector<Directory> &directories) {
  for (std::size_t i = 0; i < directories.size(); ++i) {
    struct stat status{};
    const std::string &path = directories[i].path;
    const bool isThere = ::stat(path.c_str(), &status) == 0;
    if (isThere ? S_ISDIR(status.st_mode) : errno != ENOENT && errno != ENOTDIR) continue;
    throw skh::Error(SKH_INVALID, "directories[" + std::to_string(i) +
                                      "]: " + paths::printable(path) + whyNoFolder(path, isThere));
  }
}

std::shared_ptr<const Root> openRoot(const Directory &directory,
                                     const std::shared_ptr<const Root> &previous,
                                     MissingDirectory missing, Watches &watches, Warnings &warnings,
                                     Trouble &trouble) {
  const bool watched = watchPath(directory.path, watches);
  Descriptor open(::open(directory.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open) {
    const int error = errno;
    if (!watched) watches.fallBack();
    const bool isMissing = error == ENOENT || error == ENOTDIR;
    // Nothing tells a removed directory from one whose disk is away, so its skills must not be
    // taken for removed.
    if (!isMissing || missing == MissingDirectory::Fail)
      trouble = {directory.path + " cannot be read: " + std::strerror(error),
                 isMissing ? SKH_UNAVAILABLE : SKH_DENIED};
    if (error != ENOENT || missing == MissingDirectory::Fail)
      warnings.warnOnce(
          directory.path,
          std::string("the directory cannot be read, and the source waits until it can: ") +
              std::strerror(error));
    return nullptr;
  }
  warnings.clearWarning(directory.path);
  // The same folder may have been moved below another one.
  std::string canonical = canonicalPath(directory.path);
  if (previous && previous->canonical == canonical && same(previous->descriptor, open))
    return previous;
  return std::make_shared<const Root>(
      Root{{directory.path, std::move(canonical), std::move(open)}, std::nullopt});
}

} // namespace skillhost::filesystem
