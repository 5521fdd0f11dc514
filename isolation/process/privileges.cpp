// SPDX-License-Identifier: Apache-2.0
// If the host is root, a confined process becomes a user that owns nothing but its cache folder.
#include "ground/blake3.hpp"
#include "ground/descriptor.hpp"
#include "process/confinement.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>

namespace skillhost::process {
namespace {

// No distribution assigns these user ids: systemd's table (UIDS-GIDS) lists them as unused.
constexpr unsigned firstUser = 60706, countOfUsers = 478;
constexpr int maxCacheDepth = 64; // levels of folders in a cache

constexpr std::uint64_t bit(unsigned capability) { return 1ULL << capability; }
constexpr std::uint64_t reading = bit(CAP_DAC_READ_SEARCH);
struct Capability {
  unsigned number;
  const char *name;
};
// Capabilities needed to become another user and to end a process of another user.
constexpr std::array needed{Capability{CAP_SETUID, "CAP_SETUID"},
                            Capability{CAP_SETGID, "CAP_SETGID"},
                            Capability{CAP_SETPCAP, "CAP_SETPCAP"},
                            Capability{CAP_KILL, "CAP_KILL"}, Capability{CAP_CHOWN, "CAP_CHOWN"}};
// Locks these rules: root has no rights by its user id, a change of user changes no capabilities,
// and none are inherited.
constexpr unsigned long lockedBits =
    SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
    SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

constexpr const char *ownUser = "run the server as a user of its own that is not root";
constexpr const char *remedy =
    "let others read it, and search the folders above it, or run the server as a user of its own "
    "that is not root";

std::string reason() { return std::generic_category().message(errno); }

struct Capabilities {
  std::uint64_t effective = 0, permitted = 0, inheritable = 0;
};

std::optional<Capabilities> capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return std::nullopt;
  const auto whole = [](std::uint32_t low, std::uint32_t high) {
    return low | static_cast<std::uint64_t>(high) << 32U;
  };
  return Capabilities{whole(data[0].effective, data[1].effective),
                      whole(data[0].permitted, data[1].permitted),
                      whole(data[0].inheritable, data[1].inheritable)};
}

bool setCapabilities(std::uint64_t effective, std::uint64_t permitted) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const auto low = [](std::uint64_t all) { return static_cast<std::uint32_t>(all); };
  const auto high = [](std::uint64_t all) { return static_cast<std::uint32_t>(all >> 32U); };
  const std::array<__user_cap_data_struct, 2> data{
      {{low(effective), low(permitted), 0}, {high(effective), high(permitted), 0}}};
  return ::syscall(SYS_capset, &header, data.data()) == 0;
}

// Drops the capabilities that a program started from here could get. Without CAP_SETPCAP they stay,
// which matters little: no program is started, and none would gain anything (no_new_privs).
bool emptyBoundingSet() {
  bool all = true;
  for (unsigned long number = 0; number < 64; ++number) {
    const int held = ::prctl(PR_CAPBSET_READ, number, 0, 0, 0);
    if (held < 0) break; // the kernel has no more
    if (held == 1) all = ::prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == 0 && all;
  }
  return all;
}

// Gives a folder with everything below to `user`. It follows no links and skips files with a second
// name, because that name may be elsewhere. Another instance that shares the folder may remove
// files meanwhile.
bool give(int folder, uid_t user, int levels) {
  if (levels == 0) {
    errno = ELOOP;
    return false;
  }
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return false;
  const std::unique_ptr<DIR, int (*)(DIR *)> entries(::fdopendir(again), &::closedir);
  if (!entries) return false;
  while (const dirent *entry = ::readdir(entries.get())) { // NOLINT(concurrency-mt-unsafe)
    const char *name = static_cast<const char *>(entry->d_name);
    if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
    struct stat info{};
    if (::fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) continue;
      return false;
    }
    if (S_ISDIR(info.st_mode)) {
      const Descriptor below(
          ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
      if (!below || !give(below.number(), user, levels - 1)) return false;
    } else if (info.st_nlink == 1 && info.st_uid != user) {
      if (::fchownat(folder, name, user, user, AT_SYMLINK_NOFOLLOW) != 0 && errno != ENOENT)
        return false;
    }
  }
  return ::fchown(folder, user, user) == 0;
}

bool giveFolder(const std::string &path, uid_t user) {
  if (path.empty()) return true;
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  return folder && give(folder.number(), user, maxCacheDepth);
}

// Returns the first path that Landlock allows but file permissions refuse.
std::string closedPath(const Confinement &wanted) {
  const auto isClosed = [](const std::string &path, int how) {
    return ::access(path.c_str(), how) != 0 && errno == EACCES;
  };
  for (const std::string &path : wanted.mayRead) {
    struct stat info{};
    const bool folder = ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
    if (isClosed(path, folder ? R_OK | X_OK : R_OK)) return path;
  }
  if (!wanted.mayWrite.empty() && isClosed(wanted.mayWrite, R_OK | W_OK | X_OK))
    return wanted.mayWrite;
  return {};
}

ConfinementResult cannot(const std::string &what) {
  return {false, "no privileges dropped", "no plugin runs in a process of its own here: " + what};
}

// Returns text such as "the host is root without CAP_SETUID, ..."; empty if nothing is missing.
std::string lacking(const Capabilities &held) {
  for (const Capability &one : needed)
    if ((held.effective & bit(one.number)) == 0)
      return "the host is root without " + std::string(one.name) +
             ", which it takes to run it as another user";
  return {};
}

uid_t userOf(const Confinement &wanted) {
  return static_cast<uid_t>(
      firstUser + std::stoul(blake3Hex(wanted.mayWrite).substr(0, 8), nullptr, 16) % countOfUsers);
}

// True if this user namespace knows the user.
bool isKnown(uid_t user) {
  std::ifstream map("/proc/self/uid_map");
  if (!map) return true;
  for (std::uint64_t first = 0, outside = 0, count = 0; map >> first >> outside >> count;)
    if (user >= first && user - first < count) return true;
  return false;
}

// Returns the first path on the way to `path` that lacks the search permission for others, or
// `path` itself if it lacks `last`.
std::string closedOnTheWay(const std::filesystem::path &path, mode_t last) {
  std::filesystem::path here;
  for (const auto &part : path) {
    here /= part;
    struct stat info{};
    if (::stat(here.c_str(), &info) != 0) return {};
    const mode_t wanted = here != path ? S_IXOTH : last;
    if ((info.st_mode & wanted) != wanted) return here.string();
  }
  return {};
}

// Result of become(). NobodyElse: this user namespace does not know the user.
enum class Became : std::uint8_t { Another, NobodyElse, Failed };
Became become(uid_t user) {
  // Capabilities allow all these calls, and they survive the change of user
  // (SECURE_NO_SETUID_FIXUP). The code makes the system calls itself, because the C library changes
  // all threads, and a sanitizer has a thread whose securebits are not set. Of our own threads
  // there is only this one.
  if (::syscall(SYS_setresuid, user, user, user) != 0)
    return errno == EINVAL ? Became::NobodyElse : Became::Failed;
  return ::syscall(SYS_setgroups, 0, nullptr) == 0 &&
                 ::syscall(SYS_setresgid, user, user, user) == 0
             ? Became::Another
             : Became::Failed;
}

ConfinementResult dropAsRoot(const Confinement &wanted, bool filesAreConfined,
                             const Capabilities &held) {
  if (const std::string what = lacking(held); !what.empty()) return cannot(what + "; " + ownUser);
  const uid_t user = userOf(wanted);
  if (!emptyBoundingSet()) return cannot("capabilities cannot be given up: " + reason());
  if (::prctl(PR_SET_SECUREBITS, lockedBits, 0, 0, 0) != 0)
    return cannot("securebits cannot be set: " + reason());
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  const Became became = become(user);
  if (became == Became::Failed)
    return cannot("it cannot become user " + std::to_string(user) + ": " + reason());
  if (became == Became::Another && !giveFolder(wanted.mayWrite, user))
    return cannot(wanted.mayWrite + " cannot become user " + std::to_string(user) +
                  "'s: " + reason());
  const std::uint64_t kept = held.permitted & reading;
  if (!setCapabilities(0, kept)) return cannot("capabilities stay: " + reason());
  const std::string closed = closedPath(wanted);
  // With CAP_DAC_READ_SEARCH, only Landlock decides what it may read.
  const std::uint64_t rest = !closed.empty() && filesAreConfined ? kept : 0;
  if (!setCapabilities(rest, rest)) return cannot("capabilities stay: " + reason());
  if (became == Became::NobodyElse) return {true, "no capabilities"};
  if (::syscall(SYS_setresuid, 0, 0, 0) == 0) return cannot("it can become root again");
  const std::string text = "user " + std::to_string(user) + " ";
  if (closed.empty()) return {true, text + "without capabilities"};
  return {false, text + (rest != 0 ? "with CAP_DAC_READ_SEARCH" : "without capabilities") +
                     ", to whom " + closed + " is closed (" + remedy + ")"};
}

} // namespace

std::string firstPathClosedToOthers(const std::string &path, FileAccess access) {
  struct stat info{};
  const bool folder = ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
  const mode_t last = access == FileAccess::Search ? S_IXOTH : folder ? S_IROTH | S_IXOTH : S_IROTH;
  std::string closed = closedOnTheWay(path, last);
  std::error_code absent;
  const auto real = std::filesystem::canonical(path, absent); // resolved links
  return closed.empty() && !absent ? closedOnTheWay(real, last) : closed;
}

std::string whyNotAsRoot(const Confinement &wanted) {
  const std::optional<Capabilities> held = capabilities();
  if (!held || (::geteuid() != 0 && ::getuid() != 0)) return {};
  if (const std::string what = lacking(*held); !what.empty()) return what + ": " + ownUser;
  const bool reads = (held->permitted & reading) != 0;
  if ((reads && confinesFiles()) || !isKnown(userOf(wanted))) return {};
  const auto why = [&](const std::string &closed, const std::string &other) {
    return closed +
           " is not accessible to the unprivileged user of the plugin, and the server is root "
           "without " +
           (reads ? "Landlock" : "CAP_DAC_READ_SEARCH") +
           ", which would give the plugin access: " + ownUser + ", or " + other;
  };
  if (!wanted.mayWrite.empty()) {
    const auto above = std::filesystem::path(wanted.mayWrite).parent_path().string();
    if (const std::string closed = firstPathClosedToOthers(above, FileAccess::Search);
        !closed.empty())
      return why(closed, "set XDG_CACHE_HOME=/var/cache");
  }
  for (const std::string &path : wanted.mayRead)
    if (const std::string closed = firstPathClosedToOthers(path, FileAccess::Read); !closed.empty())
      return why(closed, "make it readable for others");
  return {};
}

ConfinementResult dropPrivileges(const Confinement &wanted, bool filesAreConfined) {
  const std::optional<Capabilities> held = capabilities();
  if (!held) return cannot("capabilities cannot be read: " + reason());
  if (::geteuid() == 0 || ::getuid() == 0) return dropAsRoot(wanted, filesAreConfined, *held);
  emptyBoundingSet();
  ::prctl(PR_SET_SECUREBITS, lockedBits, 0, 0, 0);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (!setCapabilities(0, 0)) return cannot("capabilities stay: " + reason());
  return {true, "no capabilities"};
}

} // namespace skillhost::process
