// SPDX-License-Identifier: Apache-2.0
#include "folder_lock.hpp"

#include "ground/shown.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace skillhost::sync {
namespace {

constexpr std::chrono::milliseconds pause{50};

// Returns the process that holds the lock, such as "process 314 (skillhost)". The kernel does not
// show processes of other containers.
std::string holderOf(const Descriptor &folder) {
  struct stat status{};
  if (::fstat(folder.number(), &status) != 0) return "another process";
  const std::string inode = ':' + std::to_string(status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, manner, access, process, file;
    words >> number >> kind >> manner >> access >> process >> file;
    // Others who wait have "->" in the place of the kind. The file is MAJOR:MINOR:INODE.
    if (kind != "FLOCK" || !file.ends_with(inode)) continue;
    std::string name;
    std::getline(std::ifstream("/proc/" + process + "/comm"), name);
    return "process " + process + (name.empty() ? "" : " (" + shownLine(name) + ')');
  }
  return "another process";
}

} // namespace

Descriptor lockFolder(const std::string &folder, const LockWait &wait) {
  Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto begin = std::chrono::steady_clock::now();
  bool isSaid = false;
  // No system call waits for this lock with a limit, so it is tried again and again.
  while (!open || ::flock(open.number(), LOCK_EX | LOCK_NB) != 0) {
    if (open && errno == EINTR) continue;
    if (!open || errno != EWOULDBLOCK)
      throw std::runtime_error(folder +
                               ": cannot be locked: " + std::generic_category().message(errno));
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited >= wait.atMost)
      throw std::runtime_error(folder + ": " + holderOf(open) +
                               " still works in this folder; run this again when it has ended");
    if (!isSaid && waited >= wait.beforeSaying) {
      wait.say(folder + ": waiting for " + holderOf(open) + ", which works in this folder");
      isSaid = true;
    }
    std::this_thread::sleep_for(pause);
  }
  return open;
}

} // namespace skillhost::sync
