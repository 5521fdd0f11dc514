// SPDX-License-Identifier: Apache-2.0
#include "exclusive_file.hpp"

#include "ground/descriptor.hpp"
#include "ground/replace_file.hpp"
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

} // namespace

void changeTokenFile(const std::string &path,
                     const std::function<void(std::vector<TokenEntry> &)> &change) {
  makeFolders(fs::path(path).parent_path());
  const std::string lockPath = path + ".lock";
  const Descriptor lock(::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) fail(lockPath, "cannot be opened");
  while (::flock(lock.number(), LOCK_EX) != 0)
    if (errno != EINTR) fail(lockPath, "cannot be locked");
  struct stat before{};
  const bool exists = ::stat(path.c_str(), &before) == 0;
  if (!exists && errno != ENOENT) fail(path, "cannot be examined");
  std::vector<TokenEntry> entries;
  if (exists) entries = TokenFile::read(path).entries();
  change(entries);
  // An existing file keeps its group and mode, which were found to be private.
  const FileReaders readers = exists ? FileReaders::Everybody : FileReaders::Owner;
  if (const Status written = replaceFile(path, writeTokenList(entries), readers); !written)
    throw std::runtime_error(written.failure().message);
}

} // namespace skillhost::tokens
