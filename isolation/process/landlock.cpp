// SPDX-License-Identifier: Apache-2.0
// Landlock restricts the files that a confined process may open. This file uses its system calls.
#include "ground/descriptor.hpp"
#include "process/certificates.hpp"
#include "process/confinement.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

namespace skillhost::process {
namespace {

// Every plugin may read libraries, their data and the C library's own files. /etc as a whole is
// left out because it holds keys, and /proc because it shows the arguments and variables of other
// processes.
constexpr std::array common{"/usr/lib",
                            "/usr/lib32",
                            "/usr/lib64",
                            "/usr/libx32",
                            "/usr/share",
                            "/usr/local/lib",
                            "/usr/local/lib64",
                            "/usr/local/share/ca-certificates",
                            "/lib",
                            "/lib64",
                            "/etc/resolv.conf",
                            "/etc/hosts",
                            "/etc/nsswitch.conf",
                            "/etc/localtime",
                            "/etc/ld.so.cache",
                            "/dev/null",
                            "/dev/urandom"};

// Rights with the version of Landlock that introduced them. The headers may not know the later
// ones.
constexpr std::uint64_t firstRights = (1ULL << 13U) - 1;
constexpr std::uint64_t refer = 1ULL << 13U;    // since version 2
constexpr std::uint64_t truncate = 1ULL << 14U; // since version 3
constexpr std::uint64_t control = 1ULL << 15U;  // since version 5: ioctl on devices
constexpr std::uint64_t ofFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                  LANDLOCK_ACCESS_FS_READ_FILE | truncate | control;
constexpr std::uint64_t sockets = 3; // since version 4: bind and connect of TCP
// Since version 6: no abstract sockets or signals outside of the process.
constexpr std::uint64_t scopes = 3;

struct Attributes { // landlock_ruleset_attr as of version 6
  std::uint64_t files, network, scoped;
};

std::uint64_t rightsOf(long version) {
  std::uint64_t rights = firstRights;
  if (version >= 2) rights |= refer;
  if (version >= 3) rights |= truncate;
  if (version >= 5) rights |= control;
  return rights;
}

void allow(int rules, const Descriptor &opened, std::uint64_t rights) {
  struct stat info{};
  if (!opened || ::fstat(opened.number(), &info) != 0) return; // a missing file needs no rule
  if (!S_ISDIR(info.st_mode)) rights &= ofFiles;
  const landlock_path_beneath_attr rule{rights, opened.number()};
  ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

void allow(int rules, const std::string &path, std::uint64_t rights) {
  allow(rules, Descriptor(::open(path.c_str(), O_PATH | O_CLOEXEC)), rights);
}

// Returns a value below 1, with errno, if the kernel has no Landlock.
long kernelsVersion() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

ConfinementResult refused(const std::string &why) { return {false, "no landlock (" + why + ")"}; }

} // namespace

bool confinesFiles() { return kernelsVersion() >= 1; }

ConfinementResult confineFiles(const Confinement &wanted) {
  const long version = kernelsVersion();
  if (version < 1) return refused(std::generic_category().message(errno));
  const std::uint64_t all = rightsOf(version);
  // If seccomp allows no sockets, or only sockets that are already connected, Landlock refuses bind
  // and connect as well.
  const bool opensNone = !wanted.network || wanted.socketSupply >= 0;
  const Attributes attributes{all, version >= 4 && opensNone ? sockets : 0, scopes};
  const std::size_t known = version >= 6   ? sizeof attributes
                            : version >= 4 ? offsetof(Attributes, scoped)
                                           : sizeof attributes.files;
  const Descriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, known, 0)));
  if (!rules) return refused(std::generic_category().message(errno));
  constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  for (const char *path : common) allow(rules.number(), path, reading);
  // A right to a folder would cover everything in it, so each certificate gets a right of its own.
  for (const std::string &place : certificatePlaces())
    eachCertificate(place, [&](const Descriptor &opened) {
      struct stat info{};
      const bool isFolder = ::fstat(opened.number(), &info) == 0 && S_ISDIR(info.st_mode);
      allow(rules.number(), opened, isFolder ? LANDLOCK_ACCESS_FS_READ_DIR : reading);
    });
  for (const std::string &path : wanted.mayRead) allow(rules.number(), path, reading);
  allow(rules.number(), "/dev/null", reading | LANDLOCK_ACCESS_FS_WRITE_FILE);
  if (!wanted.mayWrite.empty())
    allow(rules.number(), wanted.mayWrite,
          all & ~static_cast<std::uint64_t>(LANDLOCK_ACCESS_FS_EXECUTE));
  if (::syscall(SYS_landlock_restrict_self, rules.number(), 0) != 0)
    return refused(std::generic_category().message(errno));
  return {true, "landlock " + std::to_string(version)};
}

} // namespace skillhost::process
