// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/cache_directory.hpp"

#include "base/log.hpp"
#include "ground/descriptor.hpp"
#include "ground/folder.hpp"
#include "ground/sha256.hpp"
#include "ground/trusted_path.hpp"

#include <skillhost/plugin.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

constexpr int maxAlike = 100; // hosts at once that get a folder each

std::error_code makeFolder(const fs::path &folder, fs::perms permissions) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && fs::status(folder, error).permissions() != permissions) // else it may be read-only
    fs::permissions(folder, permissions, error);
  return error;
}

constexpr std::chrono::hours unusedFor{7 * 24};
// No name of an instance has it, so no instance's folders begin like the marked ones of another.
constexpr const char *beforeMark = "@";
constexpr std::string_view lockEnd = ".lock";

enum class Lock : std::uint8_t { Taken, Ours, Impossible };

bool isAt(const std::string &path, const Descriptor &opened) {
  struct stat there{};
  struct stat here{};
  return ::lstat(path.c_str(), &there) == 0 && ::fstat(opened.number(), &here) == 0 &&
         there.st_ino == here.st_ino && there.st_dev == here.st_dev;
}

// The lock lies beside the folder, where the plugin cannot remove it. The kernel releases it with
// the process, however that ends. On a file system without locks every host gets the first folder.
Lock lock(const fs::path &folder, Descriptor &held, int kind = LOCK_EX) {
  const std::string path = folder.string() + std::string(lockEnd);
  constexpr int tries = 100; // some file systems number a file differently each time
  for (int number = 0; number < tries; ++number) {
    held.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (!held) return Lock::Impossible;
    while (::flock(held.number(), kind | LOCK_NB) != 0)
      if (errno != EINTR) return errno == EWOULDBLOCK ? Lock::Taken : Lock::Impossible;
    if (isAt(path, held)) return Lock::Ours; // else it was removed before it was locked
  }
  return Lock::Impossible;
}

// True if nobody else can have put anything there, or another folder in its place.
bool isPrivateFolder(const std::string &path) {
  struct stat found{};
  return checkTrusted(path) && ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// The time of the lock file is the time when the folder was last used.
void noteUse(const Descriptor &held) {
  if (held) ::futimens(held.number(), nullptr);
}

// Nobody can take the folder meanwhile, because the lock is removed last. If there is a link in its
// place, the link is removed but not its target.
void removeUnused(const fs::path &folder) {
  Descriptor held;
  if (lock(folder, held) != Lock::Ours) return;
  const std::string path = folder.string() + std::string(lockEnd);
  std::error_code error;
  const fs::file_time_type used = fs::last_write_time(path, error);
  if (error || fs::file_time_type::clock::now() - used < unusedFor) return;
  fs::remove_all(folder, error);
  if (!error) fs::remove(path, error);
  if (error)
    log::warning("plugin",
                 folder.string() + ": the old cache folder cannot be removed: " + error.message());
  else
    log::debug("plugin", folder.string() + ": the old cache folder is removed");
}

} // namespace

CacheDirectory takeCacheDirectory(const std::string &all, const std::string &instance,
                                  const std::string &plugin, const std::string &mark,
                                  std::uint32_t flags) {
  const std::string first =
      instance + (mark.empty() ? "" : beforeMark + mark) + "-" + sha256Hex(plugin).substr(0, 16);
  // If the host is root, each plugin's process is another user and must be able to reach its
  // folder.
  const int kind = (flags & SKH_SHARES_CACHE) != 0 ? LOCK_SH : LOCK_EX;
  const fs::perms search =
      ::geteuid() == 0 ? fs::perms::group_exec | fs::perms::others_exec : fs::perms::none;
  std::error_code error = makeFolder(all, fs::perms::owner_all | search);
  for (int number = 1; !error && number <= maxAlike; ++number) {
    const fs::path own =
        fs::path(all) / (number == 1 ? first : first + "-" + std::to_string(number));
    const std::shared_ptr<Descriptor> held(new Descriptor, [](const Descriptor *ours) {
      noteUse(*ours);
      delete ours;
    });
    if (lock(own, *held, kind) == Lock::Taken) {
      held->reset(); // another host uses it and does not share it
      continue;
    }
    error = makeFolder(own, fs::perms::owner_all);
    if (error) break;
    noteUse(*held);
    return {own.string(), held};
  }
  log::warning("plugin", all + "/" + first + ": no cache for " + instance + ": " +
                             (error ? error.message() : "too many hosts have one already"));
  return {};
}

void removeUnusedCacheDirectories(const std::string &all, const std::string &start) {
  if (!isPrivateFolder(all)) return;
  std::vector<fs::path> folders;
  std::error_code error;
  for (const std::string &name : namesIn(all, error)) {
    if (name.starts_with(start) && name.find(beforeMark) != std::string::npos &&
        name.ends_with(lockEnd))
      folders.push_back(fs::path(all) / name.substr(0, name.size() - lockEnd.size()));
  }
  for (const fs::path &folder : folders) removeUnused(folder);
}

} // namespace skillhost
