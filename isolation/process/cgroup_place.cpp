// SPDX-License-Identifier: Apache-2.0
#include "process/cgroup_place.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

namespace skillhost::process {
namespace {

std::string procText(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> wordsOf(const std::string &line) {
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

// Decodes a path as the kernel writes it: separators in it are octal numbers (\040).
std::string plainPath(const std::string &written) {
  std::string path;
  for (std::size_t at = 0; at < written.size(); ++at) {
    unsigned code = 0;
    if (written[at] == '\\' && at + 3 < written.size() &&
        std::from_chars(&written[at + 1], &written[at + 4], code, 8).ptr == &written[at + 4]) {
      path += static_cast<char>(code);
      at += 3;
    } else {
      path += written[at];
    }
  }
  return path;
}

// Returns the folder of the cgroup `own`, if the cgroup `root` is mounted at `point`.
std::optional<std::string> folderAt(const std::string &point, const std::string &root,
                                    const std::string &own) {
  if (root == "/") return point + (own == "/" ? "" : own);
  if (own == root) return point;
  if (own.starts_with(root + "/")) return point + own.substr(root.size());
  return std::nullopt;
}

Descriptor openCgroupFolder(int at, const std::string &path) {
  return Descriptor(::openat(at, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

bool isWritableIn(int folder, const char *name) {
  return ::faccessat(folder, name, W_OK, AT_EACCESS) == 0;
}

// systemd marks the cgroups that it has delegated. Only root can read the first name.
bool isMarked(int folder) {
  for (const char *name : {"trusted.delegate", "user.delegate"}) {
    std::array<char, 2> value{};
    if (::fgetxattr(folder, name, value.data(), value.size()) == 1 && value[0] == '1') return true;
  }
  return false;
}

// True if this user owns the folder but cannot write the folder above. Then somebody has delegated
// it.
bool isGiven(int folder) {
  struct stat info{};
  const Descriptor above = openCgroupFolder(folder, "..");
  return ::geteuid() != 0 && ::fstat(folder, &info) == 0 && info.st_uid == ::geteuid() && above &&
         !isWritableIn(above.number(), ".") && !isWritableIn(above.number(), "cgroup.procs");
}

// Says why this process may not divide the cgroup; empty if it may.
std::string whyNotOurs(int folder, bool isTop, bool isAbove) {
  const std::string type = readCgroup(folder, "cgroup.type");
  if (type.empty()) return "is the root of all";
  if (type != "domain") return "is " + type;
  const std::vector<std::string> controllers = wordsOf(readCgroup(folder, "cgroup.controllers"));
  for (const char *needed : {"memory", "pids"})
    if (std::find(controllers.begin(), controllers.end(), needed) == controllers.end())
      return "has no controller " + std::string(needed);
  if (!isMarked(folder) && (isAbove || (!isTop && !isGiven(folder))))
    return "is not delegated to the server";
  for (const char *name : {".", "cgroup.procs", "cgroup.subtree_control"})
    if (!isWritableIn(folder, name))
      return "cannot be written: " + std::generic_category().message(errno);
  for (const pid_t process : processesOf(folder))
    if (isAbove || !isOurs(process))
      return process == 0
                 ? "has processes of another namespace in it"
                 : "has process " + std::to_string(process) + " in it, which is not the server's";
  return {};
}

} // namespace

CgroupPlace cgroupPlace(std::string_view mounts, std::string_view cgroups) {
  std::string own;
  std::istringstream lines{std::string(cgroups)};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("0::/")) own = line.substr(3);
  // The cgroup lies outside of the namespace.
  if (own.empty() || own.starts_with("/..")) return {};
  std::istringstream all{std::string(mounts)};
  for (std::string line; std::getline(all, line);) {
    const std::vector<std::string> words = wordsOf(line);
    const auto rest = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || rest == words.end() || std::next(rest) == words.end() ||
        *std::next(rest) != "cgroup2")
      continue;
    const auto folder = folderAt(plainPath(words[4]), plainPath(words[3]), own);
    if (folder) return {*folder, own == "/"};
  }
  return {};
}

CgroupPlace ownCgroupPlace() {
  return cgroupPlace(procText("/proc/self/mountinfo"), procText("/proc/self/cgroup"));
}

Result<DelegatedCgroup> delegatedCgroup(const CgroupPlace &place) {
  const auto none = [](const std::string &why) -> Failure { return {Fault::NotImplemented, why}; };
  if (place.folder.empty()) return none("no hierarchy of cgroup v2 is mounted");
  DelegatedCgroup own{place.folder, openCgroupFolder(AT_FDCWD, place.folder)};
  if (!own.opened)
    return none("cgroup " + place.folder +
                " cannot be opened: " + std::generic_category().message(errno));
  const std::string why = whyNotOurs(own.opened.number(), place.top, false);
  if (why.empty()) return own;
  if (!place.top) {
    const std::size_t slash = place.folder.rfind('/');
    DelegatedCgroup above{place.folder.substr(0, slash),
                          openCgroupFolder(own.opened.number(), ".."), true};
    if (above.opened && whyNotOurs(above.opened.number(), false, true).empty()) return above;
  }
  return none("cgroup " + place.folder + " " + why);
}

std::string readCgroup(int folder, const std::string &file) {
  const Descriptor opened(::openat(folder, file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t got = 1; opened && got > 0;) {
    got = ::read(opened.number(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR)
      got = 1;
    else if (got > 0)
      text.append(piece.data(), static_cast<std::size_t>(got));
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

bool writeCgroup(int folder, const std::string &file, std::string_view text) {
  const Descriptor opened(::openat(folder, file.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!opened) return false;
  ssize_t written = 0;
  while ((written = ::write(opened.number(), text.data(), text.size())) < 0 && errno == EINTR) {}
  return written == static_cast<ssize_t>(text.size());
}

std::vector<pid_t> processesOf(int folder) {
  std::vector<pid_t> all;
  for (const std::string &word : wordsOf(readCgroup(folder, "cgroup.procs"))) {
    pid_t process = 0;
    std::from_chars(word.data(), word.data() + word.size(), process);
    all.push_back(process);
  }
  return all;
}

bool isOurs(pid_t process) {
  constexpr int maxSteps = 64;
  for (int step = 0; process > 1 && step < maxSteps; ++step) {
    if (process == ::getpid()) return true;
    // The line is "PID (NAME) STATE PARENT". NAME may contain parentheses, so this searches for the
    // last one.
    const std::string status = procText("/proc/" + std::to_string(process) + "/stat");
    const std::vector<std::string> words =
        wordsOf(status.substr(std::min(status.rfind(')') + 1, status.size())));
    process = 0;
    if (words.size() > 1)
      std::from_chars(words[1].data(), words[1].data() + words[1].size(), process);
  }
  return process == ::getpid();
}

} // namespace skillhost::process
