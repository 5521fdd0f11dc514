// SPDX-License-Identifier: Apache-2.0
#include "exclusive_file.hpp"

#include "file_descriptor.hpp"
#include "token_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace skillhost::tokens {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string &path, const std::string &what) {
  throw std::runtime_error(path + ": " + what + ": " + std::generic_category().message(errno));
}

void makeFolders(const fs::path &folder) {
  if (folder.empty() || fs::exists(folder)) return;
  makeFolders(folder.parent_path());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    fail(folder.string(), "cannot be made");
}

// Another file takes the name in one step; both it and the name are on disk when this returns.
void replace(const std::string &path, const std::string &text, const struct stat *before) {
  const std::string written = path + ".new";
  try {
    // Only the holder of the lock writes it; what is there is left from a process that died.
    ::unlink(written.c_str());
    const FileDescriptor file(
        ::open(written.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.open()) fail(written, "cannot be made");
    file.writeAll(text);
    if (before != nullptr) {
      const bool kept = ::fchown(file.number(), static_cast<uid_t>(-1), before->st_gid) == 0;
      if (kept && (before->st_mode & 040U) != 0 && ::fchmod(file.number(), 0640) != 0)
        fail(written, "its mode cannot be set");
    }
    if (::fsync(file.number()) != 0) fail(written, "cannot be written");
    if (::rename(written.c_str(), path.c_str()) != 0) fail(path, "cannot be replaced");
  } catch (...) {
    ::unlink(written.c_str());
    throw;
  }
  const FileDescriptor folder(
      ::open(fs::path(path).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.open()) ::fsync(folder.number());
}

} // namespace

void changeTokenFile(const std::string &path,
                     const std::function<void(std::vector<TokenEntry> &)> &change) {
  makeFolders(fs::path(path).parent_path());
  const std::string lockPath = path + ".lock";
  const FileDescriptor lock(
      ::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.open()) fail(lockPath, "cannot be opened");
  while (::flock(lock.number(), LOCK_EX) != 0)
    if (errno != EINTR) fail(lockPath, "cannot be locked");
  struct stat before{};
  const bool exists = ::stat(path.c_str(), &before) == 0;
  if (!exists && errno != ENOENT) fail(path, "cannot be examined");
  std::vector<TokenEntry> entries;
  if (exists) entries = TokenFile::read(path).entries();
  change(entries);
  replace(path, writeTokenList(entries), exists ? &before : nullptr);
}

} // namespace skillhost::tokens
