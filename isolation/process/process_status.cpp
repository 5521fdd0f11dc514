// SPDX-License-Identifier: Apache-2.0
#include "process/process_status.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h> // NOLINT(modernize-deprecated-headers): <ctime> promises no clocks of POSIX
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::process {
namespace {

constexpr std::uint64_t minEntryBytes = 1024;
constexpr std::uint64_t blockBytes = 512;  // bytes in a unit of st_blocks, on every file system
constexpr std::size_t maxFolderDepth = 64; // levels of nested folders

struct CloseFolder {
  void operator()(DIR *folder) const noexcept { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

// Returns null, with errno, if the folder cannot be opened.
Folder openFolder(int at, const char *name) {
  const int opened = ::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return nullptr;
  Folder folder(::fdopendir(opened));
  if (!folder) ::close(opened);
  return folder;
}

bool isDots(const char *name) {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

std::string processPath(pid_t process, const char *what) {
  return "/proc/" + std::to_string(process) + "/" + what;
}

} // namespace

std::optional<KernelStatus> readKernelStatus(pid_t process) {
  std::ifstream file(processPath(process, "status"));
  if (!file) return std::nullopt;
  KernelStatus status;
  const auto number = [](std::string_view text, int base = 10) {
    std::uint64_t value = 0;
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return value;
  };
  for (std::string line; std::getline(file, line);) {
    const std::string_view text = line;
    if (text.starts_with("Threads:"))
      status.threads = static_cast<std::uint32_t>(number(text.substr(8)));
    if (text.starts_with("NoNewPrivs:")) status.noNewPrivileges = number(text.substr(11)) == 1;
    if (text.starts_with("Seccomp:")) status.hasSeccompFilter = number(text.substr(8)) == 2;
    if (text.starts_with("Seccomp_filters:"))
      status.seccompFilters = static_cast<std::uint32_t>(number(text.substr(16)));
    if (text.starts_with("CapPrm:")) status.capabilities = number(text.substr(7), 16);
  }
  return status;
}

std::optional<std::chrono::nanoseconds> processorTime(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

namespace {

// Adds the bytes of deleted files that are still open to `bytes`. `descriptors` is the folder of a
// thread's descriptors, which are those of all threads of the process. Returns false if the folder
// is empty, as it is for a thread that has ended.
bool addDeletedBytes(DIR *descriptors, std::uint64_t &bytes) {
  const int at = ::dirfd(descriptors);
  bool hasEntries = false;
  std::set<std::pair<dev_t, ino_t>> counted;
  while (const dirent *entry = ::readdir(descriptors)) {
    struct stat info{};
    if (isDots(entry->d_name)) continue;
    hasEntries = true;
    if (::fstatat(at, entry->d_name, &info, 0) != 0) continue;
    if (S_ISREG(info.st_mode) && info.st_nlink == 0 &&
        counted.emplace(info.st_dev, info.st_ino).second)
      bytes += static_cast<std::uint64_t>(info.st_blocks) * blockBytes;
  }
  return hasEntries;
}

} // namespace

std::optional<std::uint64_t> deletedBytes(pid_t process) {
  std::uint64_t bytes = 0;
  const Folder threads = openFolder(AT_FDCWD, processPath(process, "task").c_str());
  if (!threads) return errno == EACCES || errno == EPERM ? std::nullopt : std::optional(bytes);
  const int at = ::dirfd(threads.get());
  while (const dirent *entry = ::readdir(threads.get())) {
    if (isDots(entry->d_name)) continue;
    const std::string path = std::string(entry->d_name) + "/fd";
    const Folder descriptors = openFolder(at, path.c_str());
    // The call failed, so errno holds the reason. NOLINTNEXTLINE(clang-analyzer-unix.Errno)
    if (!descriptors && (errno == EACCES || errno == EPERM)) return std::nullopt;
    if (descriptors && addDeletedBytes(descriptors.get(), bytes)) break;
  }
  return bytes; // also 0 if the process has ended
}

std::optional<std::uint64_t> storedBytes(const std::string &folder, std::uint64_t maxBytes) {
  std::uint64_t bytes = 0;
  std::set<std::pair<dev_t, ino_t>> hardLinks; // files with several names, to count them once
  std::vector<Folder> openFolders;
  // Returns false if the folder was made unreadable or is nested too deeply. A folder that
  // disappeared needs no counting. If this process runs out of descriptors, the plugin is not at
  // fault.
  const auto enter = [&openFolders](int at, const char *name) {
    if (openFolders.size() == maxFolderDepth) return false;
    Folder opened = openFolder(at, name);
    if (!opened) return errno != EACCES && errno != EPERM;
    openFolders.push_back(std::move(opened));
    return true;
  };
  if (!enter(AT_FDCWD, folder.c_str())) return std::nullopt;
  while (!openFolders.empty() && bytes <= maxBytes) {
    DIR *const here = openFolders.back().get();
    const int at = ::dirfd(here);
    const dirent *const entry = ::readdir(here);
    if (entry == nullptr || at < 0) {
      openFolders.pop_back();
      continue;
    }
    struct stat info{};
    if (isDots(entry->d_name) || ::fstatat(at, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    const bool isFolder = S_ISDIR(info.st_mode);
    const bool isCounted =
        !isFolder && info.st_nlink > 1 && !hardLinks.emplace(info.st_dev, info.st_ino).second;
    const std::uint64_t stored = static_cast<std::uint64_t>(info.st_blocks) * blockBytes;
    bytes += isCounted ? minEntryBytes : std::max(stored, minEntryBytes);
    if (isFolder && !enter(at, entry->d_name)) return std::nullopt;
  }
  return bytes;
}

} // namespace skillhost::process
