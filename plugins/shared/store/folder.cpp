// SPDX-License-Identifier: Apache-2.0
#include "folder.hpp"

#include "problem.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h> // NOLINT(modernize-deprecated-headers): <cstdio> promises no renameat2

#include <algorithm>
#include <cerrno>
#include <memory>

namespace skillhost::store {
namespace {

constexpr int folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

struct CloseEntries {
  void operator()(DIR *entries) const { ::closedir(entries); }
};

bool meansNone(int error) { return error == ENOENT || error == ENOTDIR || error == ELOOP; }

void makeFoldersAbove(const std::string &path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == 0 || slash == path.npos) return;
  const std::string above = path.substr(0, slash);
  if (::mkdir(above.c_str(), 0755) == 0 || errno == EEXIST) return;
  if (errno != ENOENT) failOfSystem(above, "cannot be made");
  makeFoldersAbove(above);
  if (::mkdir(above.c_str(), 0755) != 0 && errno != EEXIST) failOfSystem(above, "cannot be made");
}

} // namespace

std::optional<Folder> Folder::open(const std::string &path) {
  Descriptor descriptor(::open(path.c_str(), folderFlags));
  if (descriptor) return Folder(std::move(descriptor), path);
  if (errno == ENOENT) return std::nullopt;
  failOfSystem(path, "cannot be opened");
}

Folder Folder::openOrMake(const std::string &path) {
  if (std::optional<Folder> there = open(path)) return std::move(*there);
  makeFoldersAbove(path);
  if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) failOfSystem(path, "cannot be made");
  if (std::optional<Folder> made = open(path)) return std::move(*made);
  throw StoreError(Problem::Failed, path + ": was removed in the same moment; try again");
}

std::optional<Folder> Folder::folder(const std::string &name) const {
  Descriptor found(::openat(number(), name.c_str(), folderFlags | O_NOFOLLOW));
  if (found) return Folder(std::move(found), pathOf(name));
  if (meansNone(errno)) return std::nullopt;
  failOfSystem(pathOf(name), "cannot be opened");
}

Folder Folder::makeFolder(const std::string &name) const {
  if (::mkdirat(number(), name.c_str(), 0755) != 0 && errno != EEXIST)
    failOfSystem(pathOf(name), "cannot be made");
  if (std::optional<Folder> made = folder(name)) return std::move(*made);
  throw StoreError(Problem::Failed, pathOf(name) + ": is in the way: it is no folder");
}

std::vector<std::string> Folder::names() const {
  // Opens the folder again, because copies of a descriptor share its position.
  const int own = ::openat(number(), ".", folderFlags);
  const std::unique_ptr<DIR, CloseEntries> entries(own < 0 ? nullptr : ::fdopendir(own));
  if (!entries) failOfSystem(path_, "cannot be listed");
  std::vector<std::string> names;
  errno = 0;
  while (const dirent *entry = ::readdir(entries.get())) { // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = static_cast<const char *>(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) failOfSystem(path_, "cannot be listed");
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<Descriptor> Folder::file(const std::string &name, struct stat &status) const {
  Descriptor found(
      ::openat(number(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!found && meansNone(errno)) return std::nullopt;
  if (!found || ::fstat(found.number(), &status) != 0)
    failOfSystem(pathOf(name), "cannot be opened");
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return found;
}

Descriptor Folder::make(const std::string &name, std::string_view bytes, mode_t mode) const {
  Descriptor file(
      ::openat(number(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) failOfSystem(pathOf(name), "cannot be made");
  try {
    if (!writeAll(file.number(), bytes)) failOfSystem(pathOf(name), "cannot be written");
    if (::fchmod(file.number(), mode) != 0) failOfSystem(pathOf(name), "its mode cannot be set");
  } catch (const StoreError &) {
    ::unlinkat(number(), name.c_str(), 0); // a partial file must not stay
    throw;
  }
  // Only starts the writing. synchronise() waits for it and reports errors.
  ::sync_file_range(file.number(), 0, 0, SYNC_FILE_RANGE_WRITE);
  return file;
}

void Folder::synchronise(const Descriptor &file, const std::string &name) const {
  if (::fsync(file.number()) != 0) failOfSystem(pathOf(name), "cannot be written");
}

void Folder::write(const std::string &name, std::string_view bytes, mode_t mode) const {
  synchronise(make(name, bytes, mode), name);
}

void Folder::move(const std::string &name, const Folder &target, const std::string &newName,
                  Existing existing) const {
  const unsigned flags = existing == Existing::Refuse ? RENAME_NOREPLACE : 0;
  int moved = ::renameat2(number(), name.c_str(), target.number(), newName.c_str(), flags);
  // Some file systems do not support flags. The lock prevents others from taking the name in
  // between.
  if (moved != 0 && errno == EINVAL)
    moved = ::renameat(number(), name.c_str(), target.number(), newName.c_str());
  if (moved != 0) failOfSystem(pathOf(name), "cannot become " + target.pathOf(newName));
}

void Folder::erase(const std::string &name) const {
  if (::unlinkat(number(), name.c_str(), 0) == 0 || errno == ENOENT) return;
  const int error = errno;
  const std::optional<Folder> inside = folder(name);
  if (!inside) {
    errno = error;
    failOfSystem(pathOf(name), "cannot be removed");
  }
  for (const std::string &entry : inside->names()) inside->erase(entry);
  if (::unlinkat(number(), name.c_str(), AT_REMOVEDIR) != 0)
    failOfSystem(pathOf(name), "cannot be removed");
}

void Folder::synchronise() const {
  if (::fsync(number()) != 0) failOfSystem(path_, "cannot be written to disk");
}

} // namespace skillhost::store
