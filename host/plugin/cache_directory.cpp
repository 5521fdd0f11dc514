// SPDX-License-Identifier: Apache-2.0
#include "cache_directory.hpp"

#include "base/descriptor.hpp"
#include "base/log.hpp"
#include "base/sha256.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

constexpr int mostAlike = 100; // hosts at once, for which there is a folder each

std::error_code makeFolder(const fs::path &folder, fs::perms permissions) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, permissions, error);
  return error;
}

enum class Lock : bool { Taken, Ours };

// The lock lies beside the folder, where the plugin cannot remove it. The kernel lets go of it with
// the process, however that ends. On a file system without locks every host gets the first folder.
Lock lock(const fs::path &folder, Descriptor &held) {
  held.reset(::open((folder.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                    S_IRUSR | S_IWUSR));
  if (!held) return Lock::Ours;
  while (::flock(held.number(), LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return errno == EWOULDBLOCK ? Lock::Taken : Lock::Ours;
  return Lock::Ours;
}

} // namespace

CacheDirectory takeCacheDirectory(const std::string &all, const std::string &instance,
                                  const std::string &plugin) {
  const std::string first = instance + "-" + sha256Hex(plugin).substr(0, 16);
  // Of a host that is root, each plugin's process is another user and has to get to its folder.
  const fs::perms search =
      ::geteuid() == 0 ? fs::perms::group_exec | fs::perms::others_exec : fs::perms::none;
  std::error_code error = makeFolder(all, fs::perms::owner_all | search);
  for (int number = 1; !error && number <= mostAlike; ++number) {
    const fs::path own =
        fs::path(all) / (number == 1 ? first : first + "-" + std::to_string(number));
    const auto held = std::make_shared<Descriptor>();
    if (lock(own, *held) == Lock::Taken) continue;
    error = makeFolder(own, fs::perms::owner_all);
    if (!error) return {own.string(), held};
  }
  log::warning("plugin", all + "/" + first + ": no cache for " + instance + ": " +
                             (error ? error.message() : "too many hosts have one already"));
  return {};
}

} // namespace skillhost
