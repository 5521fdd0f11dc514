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

constexpr int mostLinks = 40;                // as the kernel
constexpr std::size_t nameRecords = 1 << 16; // bytes of an entry of the group or user database
constexpr id_t firstGroupOfPeople =
    100; // those below are given out by the distribution, as those of users

using Owners = std::vector<uid_t>;

bool contains(const Owners &owners, uid_t one) {
  return std::find(owners.begin(), owners.end(), one) != owners.end();
}

// True if the user has a name here, or none can be looked up now.
bool isKnown(uid_t user) {
  std::vector<char> room(nameRecords);
  passwd entry{};
  passwd *found = nullptr;
  const int error = ::getpwuid_r(user, &entry, room.data(), room.size(), &found);
  return found != nullptr || (error != 0 && error != ENOENT && error != ESRCH);
}

// True if that user has started this as root, by `sudo`.
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

// True if a user of this machine who is no owner has it as the first group: no list of members says
// so. Users of a directory service may be thousands, and are not asked for. Red Hat's accounts
// "operator" and "halt" are in root's group, and nobody logs in as one.
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

// True if nobody but the owners is in the group, as far as the databases of users say.
bool isPrivate(gid_t group, uid_t owner, const Owners &owners) {
  if (isFirstGroupOfOthers(group, owners)) return false;
  std::vector<char> room(nameRecords);
  struct group entry{};
  struct group *found = nullptr;
  ::getgrgid_r(group, &entry, room.data(), room.size(), &found);
  // A container does not name the private group of a user outside, nor the one that Kubernetes
  // gives to the processes of a pod.
  if (found == nullptr) return group == 0 || group == owner || isOwnGroup(group);
  for (char *const *member = found->gr_mem; *member != nullptr; ++member)
    if (const auto user = numberOfUser(*member); !user || !contains(owners, *user)) return false;
  // A group with the name of a user is that user's own: "www-data" is no group without members.
  if (const auto user = numberOfUser(found->gr_name)) return contains(owners, *user);
  return group < firstGroupOfPeople; // such as "staff", which is nobody's first
}

// True if an ACL lets more than owner, group and others in. The bits of the group then say what the
// most is that any of these may do. Four bytes come first, then eight for each entry.
bool hasFurtherAccess(const std::string &path) {
  constexpr ssize_t plain = 4 + 3 * 8;
  return ::lgetxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > plain;
}

// True if somebody else than the owners may write to it.
bool isOpenToOthers(const std::string &path, const struct stat &status, const Owners &owners) {
  if ((status.st_mode & S_IWOTH) != 0) return true;
  return (status.st_mode & S_IWGRP) != 0 &&
         (hasFurtherAccess(path) || !isPrivate(status.st_gid, status.st_uid, owners));
}

// True if something is mounted there: only who may mount has put it there.
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
  explicit TrustedWalk(const std::string &path) : asked_(path) {
    std::array<char, PATH_MAX> here{};
    if (!path.starts_with('/') && ::getcwd(here.data(), here.size()) != nullptr)
      left_ = partsOf(here.data());
    for (std::string &part : partsOf(path)) left_.push_back(std::move(part));
  }

  Status run() {
    if (Status root = look("/"); !root) return root;
    while (!left_.empty()) {
      const std::string part = std::move(left_.front());
      left_.pop_front();
      if (part == "..") {
        folder_.resize(folder_.empty() ? 0 : folder_.rfind('/'));
        continue;
      }
      const std::string path = folder_ + '/' + part;
      // These lead to descriptors: whoever has started the process has opened them.
      if (path == "/proc") return Done{};
      if (Status one = look(path); !one) return one;
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
    if (size <= 0 || ++links_ > mostLinks)
      return {Fault::Denied, asked_ + ": " + path + " is a link that leads nowhere"};
    const std::string_view to(target.data(), static_cast<std::size_t>(size));
    std::deque<std::string> parts = partsOf(to);
    left_.insert(left_.begin(), parts.begin(), parts.end());
    if (to.starts_with('/')) folder_.clear();
    return Done{};
  }

  Status look(const std::string &path) {
    isGone_ = ::lstat(path.c_str(), &found_) != 0;
    if (isGone_) return Done{}; // whoever opens it says why
    const bool isLink = S_ISLNK(found_.st_mode), isFolder = S_ISDIR(found_.st_mode);
    if (!contains(owners_, found_.st_uid) && isOwnerTrusted(path)) owners_.push_back(found_.st_uid);
    if (!contains(owners_, found_.st_uid))
      return refuse(nameOf(path) + (isLink ? " is a link of user " : " belongs to user ") +
                        std::to_string(found_.st_uid) + ", who is neither root nor user " +
                        std::to_string(::geteuid()) + ", as whom this runs",
                    // A user who has no need of sudo is not to give the file away.
                    isBehindSudo(found_.st_uid) ? "this as that user, without sudo"
                                                : (isLink ? "chown -h " : "chown ") +
                                                      std::to_string(::geteuid()) + ' ' + path);
    if (isLink || S_ISCHR(found_.st_mode) || (isFolder && (found_.st_mode & S_ISVTX) != 0))
      return Done{};
    if (!isOpenToOthers(path, found_, owners_)) return Done{};
    // Kubernetes gives the folder of a ConfigMap the mode 0777. This holds for the mounted folder
    // alone, not for what is in it: systemd's ProtectSystem=strict makes all of a service's view
    // read-only, while others write the same files outside.
    if (isMountPoint(path) && isReadOnly(path)) return Done{};
    return refuse("others may write " + nameOf(path), "chmod go-w " + path);
  }

  // In a folder as /tmp each user has folders, and may be able to mount something there.
  bool isMountPoint(const std::string &path) const {
    return isMounted(path) && !isSticky(folder_ + '/');
  }

  // Whoever has mounted a single file has chosen it. A folder that is mounted may be a person's:
  // /run/user/1000, or a home that comes over the network. In a container the user who has made it
  // outside has no name, or it is mounted read-only in a root that can be written.
  bool isOwnerTrusted(const std::string &path) const {
    return isMountPoint(path) && (S_ISREG(found_.st_mode) || !isKnown(found_.st_uid) ||
                                  (isReadOnly(path) && !isReadOnly("/")));
  }

  static bool isSticky(const std::string &folder) {
    struct stat found{};
    return ::lstat(folder.c_str(), &found) == 0 && (found.st_mode & S_ISVTX) != 0;
  }

  std::string nameOf(const std::string &path) const { return path == asked_ ? "it" : path; }

  Status refuse(const std::string &why, const std::string &advice) const {
    return {Fault::Denied, asked_ + ": " + why + "; run " + advice};
  }

  const std::string asked_;
  std::deque<std::string> left_;
  std::string folder_; // without a slash at its end: all of it is trusted
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
