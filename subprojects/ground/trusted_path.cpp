// SPDX-License-Identifier: Apache-2.0
#include "ground/trusted_path.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace skillhost {
namespace {

constexpr int maxLinks = 40;                 // the kernel's limit
constexpr std::size_t nameRecords = 1 << 16; // bytes of an entry of the group or user database
constexpr id_t firstGroupOfPeople = 100;     // the distribution assigns lower numbers

using Owners = std::vector<uid_t>;

bool contains(const Owners &owners, uid_t one) {
  return std::find(owners.begin(), owners.end(), one) != owners.end();
}

// Returns true if the user has a name here, or if no name can be looked up now.
bool isKnown(uid_t user) {
  std::vector<char> room(nameRecords);
  passwd entry{};
  passwd *found = nullptr;
  const int error = ::getpwuid_r(user, &entry, room.data(), room.size(), &found);
  return found != nullptr || (error != 0 && error != ENOENT && error != ESRCH);
}

// Returns true if that user has started this process as root with `sudo`.
bool isBehindSudo(uid_t user) {
  const char *const number = std::getenv("SUDO_UID"); // NOLINT(concurrency-mt-unsafe): never set
  return ::geteuid() == 0 && number != nullptr && std::to_string(user) == number;
}

std::optional<uid_t> numberOfUser(const char *name) {
  std::vector<char> room(nameRecords);
  passwd entry{};
  passwd *found = nullptr;
  ::getpwnam_r(name, &entry, room.data(), room.size(), &found);
  return found == nullptr ? std::nullopt : std::optional(found->pw_uid);
}

bool isOwnGroup(gid_t group) {
  std::array<gid_t, 256> groups{};
  const int many = ::getgroups(static_cast<int>(groups.size()), groups.data());
  return group == ::getegid() || std::find(groups.begin(), groups.begin() + std::max(many, 0),
                                           group) != groups.begin() + std::max(many, 0);
}

struct CloseFile {
  void operator()(FILE *file) const {
    std::fclose(file);
  } // NOLINT(cppcoreguidelines-owning-memory)
};

// Returns true if the group is the first group of a local user who is not an owner; lists of
// members omit such users. Users of a directory service are not checked, because there may be
// thousands. Red Hat's accounts "operator" and "halt" are in root's group, but nobody logs in as
// one.
bool isFirstGroupOfOthers(gid_t group, const Owners &owners) {
  const std::unique_ptr<FILE, CloseFile> file(std::fopen("/etc/passwd", "re"));
  if (file == nullptr) return false;
  std::vector<char> room(nameRecords);
  passwd entry{};
  passwd *found = nullptr;
  while (::fgetpwent_r(file.get(), &entry, room.data(), room.size(), &found) == 0)
    if (found->pw_gid == group && !contains(owners, found->pw_uid) &&
        (group != 0 || found->pw_uid >= firstGroupOfPeople))
      return true;
  return false;
}

// Returns true if the user databases show nobody but the owners in the group.
bool isPrivate(gid_t group, uid_t owner, const Owners &owners) {
  if (isFirstGroupOfOthers(group, owners)) return false;
  std::vector<char> room(nameRecords);
  struct group entry{};
  struct group *found = nullptr;
  ::getgrgid_r(group, &entry, room.data(), room.size(), &found);
  // A container has no name for the private group of a user outside, nor for the group that
  // Kubernetes gives to the processes of a pod.
  if (found == nullptr) return group == 0 || group == owner || isOwnGroup(group);
  for (char *const *member = found->gr_mem; *member != nullptr; ++member)
    if (const auto user = numberOfUser(*member); !user || !contains(owners, *user)) return false;
  // A group with the name of a user belongs to that user: "www-data" has members although none are
  // listed.
  if (const auto user = numberOfUser(found->gr_name)) return contains(owners, *user);
  return group < firstGroupOfPeople; // such as "staff", nobody's first group
}

// Returns true if an ACL admits more than owner, group and others. The group bits are then the
// maximum for all of them. The list has four bytes, then eight for each entry.
bool hasFurtherAccess(const std::string &path) {
  constexpr ssize_t plain = 4 + 3 * 8;
  return ::lgetxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > plain;
}

// Returns true if anybody besides the owners may write to it.
bool isOpenToOthers(const std::string &path, const struct stat &status, const Owners &owners) {
  if ((status.st_mode & S_IWOTH) != 0) return true;
  return (status.st_mode & S_IWGRP) != 0 &&
         (hasFurtherAccess(path) || !isPrivate(status.st_gid, status.st_uid, owners));
}

// Returns true if the path is a mount point, which only an administrator can make.
bool isMounted(const std::string &path) {
  struct statx found{};
  return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BASIC_STATS,
                 &found) == 0 &&
         (found.stx_attributes & found.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
}

bool isReadOnly(const std::string &path) {
  struct statvfs found{};
  return ::statvfs(path.c_str(), &found) == 0 && (found.f_flag & ST_RDONLY) != 0;
}

std::deque<std::string> partsOf(std::string_view path) {
  std::deque<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end != 0 && path.substr(0, end) != ".") parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

class TrustedWalk {
public:
  explicit TrustedWalk(const std::string &path) : path_(path) {
    std::array<char, PATH_MAX> here{};
    if (!path.starts_with('/') && ::getcwd(here.data(), here.size()) != nullptr)
      left_ = partsOf(here.data());
    for (std::string &part : partsOf(path)) left_.push_back(std::move(part));
  }

  Status run() {
    if (Status root = checkPart("/"); !root) return root;
    while (!left_.empty()) {
      const std::string part = std::move(left_.front());
      left_.pop_front();
      if (part == "..") {
        folder_.resize(folder_.empty() ? 0 : folder_.rfind('/'));
        continue;
      }
      const std::string path = folder_ + '/' + part;
      // These lead to descriptors that the process's starter has opened.
      if (path == "/proc") return Done{};
      if (Status one = checkPart(path); !one) return one;
      if (isGone_) return Done{};
      if (!S_ISLNK(found_.st_mode))
        folder_ = path;
      else if (Status link = follow(path); !link)
        return link;
    }
    return Done{};
  }

private:
  Status follow(const std::string &path) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlink(path.c_str(), target.data(), target.size() - 1);
    if (size <= 0 || ++links_ > maxLinks)
      return {Fault::Denied, path_ + ": " + path + " is a link that leads nowhere"};
    const std::string_view to(target.data(), static_cast<std::size_t>(size));
    std::deque<std::string> parts = partsOf(to);
    left_.insert(left_.begin(), parts.begin(), parts.end());
    if (to.starts_with('/')) folder_.clear();
    return Done{};
  }

  Status checkPart(const std::string &path) {
    isGone_ = ::lstat(path.c_str(), &found_) != 0;
    if (isGone_) return Done{}; // the reader reports it
    const bool isLink = S_ISLNK(found_.st_mode), isFolder = S_ISDIR(found_.st_mode);
    if (!contains(owners_, found_.st_uid) && isOwnerTrusted(path)) owners_.push_back(found_.st_uid);
    if (!contains(owners_, found_.st_uid))
      return refuse(nameOf(path) + (isLink ? " is a link of user " : " belongs to user ") +
                        std::to_string(found_.st_uid) + ", who is neither root nor user " +
                        std::to_string(::geteuid()) + ", as whom this runs",
                    // A user who has no need of sudo should not give the file away.
                    isBehindSudo(found_.st_uid) ? "this as that user, without sudo"
                                                : (isLink ? "chown -h " : "chown ") +
                                                      std::to_string(::geteuid()) + ' ' + path);
    if (isLink || S_ISCHR(found_.st_mode) || (isFolder && (found_.st_mode & S_ISVTX) != 0))
      return Done{};
    if (!isOpenToOthers(path, found_, owners_)) return Done{};
    // Kubernetes gives the folder of a ConfigMap the mode 0777. Accept only the mounted folder
    // itself, not its content: systemd's ProtectSystem=strict makes a service's whole view
    // read-only, while others can write the same files outside.
    if (isMountPoint(path) && isReadOnly(path)) return Done{};
    return refuse("others may write " + nameOf(path), "chmod go-w " + path);
  }

  // In a folder such as /tmp, users have their own folders and may be able to mount something
  // there.
  bool isMountPoint(const std::string &path) const {
    return isMounted(path) && !isSticky(folder_ + '/');
  }

  // Whoever mounted a single file has chosen it. A mounted folder may be a user's: /run/user/1000,
  // or a home on the network. In a container, the user who made it outside has no name, or it is
  // mounted read-only in a writable root.
  bool isOwnerTrusted(const std::string &path) const {
    return isMountPoint(path) && (S_ISREG(found_.st_mode) || !isKnown(found_.st_uid) ||
                                  (isReadOnly(path) && !isReadOnly("/")));
  }

  static bool isSticky(const std::string &folder) {
    struct stat found{};
    return ::lstat(folder.c_str(), &found) == 0 && (found.st_mode & S_ISVTX) != 0;
  }

  std::string nameOf(const std::string &path) const { return path == path_ ? "it" : path; }

  Status refuse(const std::string &why, const std::string &advice) const {
    return {Fault::Denied, path_ + ": " + why + "; run " + advice};
  }

  const std::string path_;
  std::deque<std::string> left_;
  std::string folder_; // no trailing slash; trusted so far
  struct stat found_{};
  Owners owners_{0, ::geteuid()};
  int links_ = 0;
  bool isGone_ = false;
};

} // namespace

Status checkTrusted(const std::string &path) { return TrustedWalk(path).run(); }

bool mayOthersWrite(const std::string &path, const struct stat &status) {
  return isOpenToOthers(path, status, {0, status.st_uid});
}

} // namespace skillhost
