// SPDX-License-Identifier: Apache-2.0
#include "staging_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace skillhost::programs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t bytesAtOnce = std::size_t{1} << 20U;

[[noreturn]] void fail(const std::string &path, const std::string &what, int error = errno) {
  throw std::runtime_error(path + ": " + what + ": " + std::generic_category().message(error));
}

void flush(const std::string &folder) {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open || ::fsync(open.number()) != 0) fail(folder, "cannot be brought to disk");
}

void makeFolderOf(const std::string &path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) throw std::runtime_error(path + ": its folder cannot be made: " + error.message());
}

// Returns true if the name still leads to the open folder.
bool isStill(const std::string &folder, const Descriptor &open) {
  struct stat named{}, opened{};
  return ::lstat(folder.c_str(), &named) == 0 && ::fstat(open.number(), &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

struct FolderLock {
  Descriptor held;
  int error = 0; // why it is not held; EWOULDBLOCK: another program holds it
};

// Locks the folder behind the name. Never waits.
FolderLock lockWhatIs(const std::string &folder) {
  constexpr int tries = 100; // some file systems never give a folder the same number twice
  for (int number = 0; number < tries; ++number) {
    Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!open || ::flock(open.number(), LOCK_EX | LOCK_NB) != 0) return {Descriptor(), errno};
    if (isStill(folder, open)) return {std::move(open), 0};
  }
  return {Descriptor(), ESTALE};
}

bool exchangeNames(const std::string &one, const std::string &other) {
  return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0;
}

// The names of all folders for this target begin with this.
std::string prefixFor(const std::string &target) {
  return "." + fs::path(target).filename().string() + ".fetch-";
}

} // namespace

StagingFolder::StagingFolder(const std::string &target) : target_(target) {
  const std::string parent = fs::path(target).parent_path().string();
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) throw std::runtime_error(parent + ": cannot be made: " + error.message());
  removeRemains(target);
  // Other processes take an unlocked folder for the remains of a killed process. If that happens
  // before this one is locked, they remove it, and the loop makes another one.
  while (!lock_) {
    path_ = parent + "/" + prefixFor(target) + "XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) {
      path_.clear();
      fail(parent, "no folder can be made in it");
    }
    FolderLock lock = lockWhatIs(path_);
    if (lock.held) lock_ = std::move(lock.held);
    if (lock_ || lock.error == EWOULDBLOCK || lock.error == ENOENT) continue;
    ::rmdir(path_.c_str());
    fail(path_, "cannot be locked", lock.error);
  }
}

StagingFolder::~StagingFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void StagingFolder::removeRemains(const std::string &target) {
  const std::string parent = fs::path(target).parent_path().string();
  const std::string prefix = prefixFor(target);
  std::error_code error;
  for (const fs::directory_entry &each : fs::directory_iterator(parent, error)) {
    if (!each.path().filename().string().starts_with(prefix)) continue;
    struct stat info{};
    const bool isFolder = ::lstat(each.path().c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
                          info.st_uid == geteuid();
    if (!isFolder) continue;
    // Hold the lock until the folder is gone: a process that has just made it then notices, and
    // makes another one.
    if (const FolderLock lock = lockWhatIs(each.path().string()); lock.held)
      fs::remove_all(each.path(), error);
  }
}

void StagingFolder::write(std::string_view name, std::string_view bytes,
                          const std::function<void()> &checkpoint, mode_t mode) const {
  const std::string path = path_ + "/" + std::string(name);
  makeFolderOf(path);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file) fail(path, "cannot be made");
  while (!bytes.empty()) {
    checkpoint();
    const ssize_t wrote = ::write(file.number(), bytes.data(), std::min(bytes.size(), bytesAtOnce));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail(path, "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  if (::fsync(file.number()) != 0) fail(path, "cannot be brought to disk");
  flush(fs::path(path).parent_path().string());
}

void StagingFolder::take(const StagingFolder &other, std::string_view name,
                         std::string_view newName) const {
  const std::string from = other.path_ + "/" + std::string(name);
  const std::string to = path_ + "/" + std::string(newName);
  makeFolderOf(to);
  if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "cannot be put in place");
  flush(fs::path(to).parent_path().string());
}

bool StagingFolder::putInPlace(bool replace, const Inspection &inspect) {
  // mkdtemp() made it for its owner only, but its content is no secret.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::chmod(path_.c_str(), 0777 & ~mask) != 0) fail(path_, "its mode cannot be set");
  flush(path_);
  if (::rename(path_.c_str(), target_.c_str()) == 0) {
    path_.clear();
  } else {
    if (errno != ENOTEMPTY && errno != EEXIST) fail(target_, "cannot be put in place");
    if (!replace || !replaceTarget(inspect)) return false;
  }
  flush(fs::path(target_).parent_path().string());
  return true;
}

void StagingFolder::takeAway(const Inspection &inspect) {
  const std::string old = path_ + "/old";
  if (::rename(target_.c_str(), old.c_str()) != 0) fail(target_, "cannot be removed");
  try {
    inspect(old);
  } catch (...) {
    const std::string staging = path_;
    path_.clear(); // keep the old folder if it cannot be put back
    if (::rename(old.c_str(), target_.c_str()) != 0)
      fail(old, "is what was in " + target_ + " and could not be put back; move it from there");
    path_ = staging;
    throw;
  }
  flush(fs::path(target_).parent_path().string());
}

bool StagingFolder::replaceTarget(const Inspection &inspect) {
  // As soon as the target is moved aside, other processes would take it for remains unless it is
  // locked.
  const FolderLock lock = lockWhatIs(target_);
  if (lock.error == EWOULDBLOCK) return false;
  if (!lock.held) fail(target_, "cannot be locked", lock.error);
  const std::string made = path_;
  std::string old = made;
  const bool exchanged = exchangeNames(made, target_);
  if (!exchanged) {
    // This file system cannot exchange names, so for a moment there is no target.
    if (errno != EINVAL && errno != ENOSYS) fail(target_, "cannot be replaced");
    old += ".old";
    if (::rename(target_.c_str(), old.c_str()) != 0) fail(target_, "cannot be replaced");
    if (::rename(made.c_str(), target_.c_str()) != 0) {
      const int why = errno;
      static_cast<void>(::rename(old.c_str(), target_.c_str()));
      fail(target_, "cannot be replaced", why);
    }
  }
  path_.clear(); // keep the old folder until `inspect` has decided
  try {
    inspect(old);
  } catch (...) {
    const bool isBack = exchanged ? exchangeNames(made, target_)
                                  : ::rename(target_.c_str(), made.c_str()) == 0 &&
                                        ::rename(old.c_str(), target_.c_str()) == 0;
    if (!isBack)
      fail(old, "is what was in " + target_ + " and could not be put back; move it from there");
    path_ = made;
    throw;
  }
  std::error_code ignored; // the next run tries again
  fs::remove_all(old, ignored);
  return true;
}

} // namespace skillhost::programs
