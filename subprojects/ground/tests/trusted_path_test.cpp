// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/trusted_path.hpp"
#include "temporary_folder.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace skillhost;
namespace fs = std::filesystem;

namespace {

constexpr uid_t stranger = 12'345;

// A folder with a file in it, as umask 022 makes them.
struct Place {
  TemporaryFolder folder;
  const fs::path path{folder.path()}, inner{path / "inner"}, file{inner / "file"};
  Place() {
    fs::create_directory(inner);
    std::ofstream(file) << "text";
    mode(inner, 0755);
    mode(file, 0644);
  }
  static void mode(const fs::path &of, mode_t to) { REQUIRE(::chmod(of.c_str(), to) == 0); }
  static void owner(const fs::path &of, uid_t user, gid_t group) {
    REQUIRE(::lchown(of.c_str(), user, group) == 0);
  }
  std::string refusal(const fs::path &of) const {
    const Status status = checkTrusted(of.string());
    return status ? std::string() : status.failure().message;
  }
  std::string refusal() const { return refusal(file); }
  static bool mayOthersWrite(const fs::path &of) {
    struct stat status{};
    REQUIRE(::stat(of.c_str(), &status) == 0);
    return skillhost::mayOthersWrite(of.string(), status);
  }
};

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a file that only its user may write is trusted") {
  const Place place;
  CHECK(place.refusal().empty());
  CHECK(place.refusal(place.inner).empty());
  CHECK(place.refusal("/").empty());
  CHECK(place.refusal("/dev/null").empty());
  CHECK(place.refusal("/proc/self/fd/0").empty());
  CHECK(place.refusal(place.path / "nowhere" / "file").empty()); // its reader reports it
  const fs::path before = fs::current_path();
  fs::current_path(place.path);
  CHECK(place.refusal("inner/../inner/./file").empty());
  fs::current_path(before);
}

TEST_CASE("a file that others may write is refused, with what to do") {
  const Place place;
  for (const mode_t mode : {0666U, 0646U, 0602U}) {
    CAPTURE(mode);
    Place::mode(place.file, mode);
    CHECK(place.refusal() ==
          place.file.string() + ": others may write it; run chmod go-w " + place.file.string());
  }
  Place::mode(place.file, 0644);
  Place::mode(place.inner, 0777);
  CHECK(place.refusal() == place.file.string() + ": others may write " + place.inner.string() +
                               "; run chmod go-w " + place.inner.string());
}

TEST_CASE("others may write a folder with the sticky bit, as /tmp") {
  const Place place;
  Place::mode(place.inner, 01777);
  CHECK(place.refusal().empty());
}

TEST_CASE("a loop of links is refused") {
  const Place place;
  fs::create_symlink(place.path / "b", place.path / "a");
  fs::create_symlink(place.path / "a", place.path / "b");
  CHECK(has(place.refusal(place.path / "a"), "leads nowhere"));
}

TEST_CASE("what another user owns or may write is refused") {
  if (::geteuid() != 0) return; // only root can give a file away
  const Place place;
  Place::owner(place.file, stranger, 0);
  CHECK(place.refusal() == place.file.string() +
                               ": it belongs to user 12345, who is neither root nor user 0, as "
                               "whom this runs; run chown 0 " +
                               place.file.string());
  Place::owner(place.file, 0, 0);
  CHECK(place.refusal().empty());
  Place::owner(place.inner, stranger, 0);
  CHECK(has(place.refusal(), place.inner.string() + " belongs to user 12345"));
  Place::owner(place.inner, 0, 0);
  // If another user owns a folder above, that user can replace the folder.
  Place::owner(place.path, stranger, 0);
  CHECK(has(place.refusal(), place.path.string() + " belongs to user 12345"));
}

TEST_CASE("who runs it by sudo on a file of their own is told to run it without") {
  if (::geteuid() != 0) return; // only root can give a file away
  const Place place;
  Place::owner(place.file, stranger, 0);
  const auto refusalBySudoOf = [&](const char *user) {
    ::setenv("SUDO_UID", user, 1); // NOLINT(concurrency-mt-unsafe): one thread
    const std::string refusal = place.refusal();
    ::unsetenv("SUDO_UID"); // NOLINT(concurrency-mt-unsafe): one thread
    return refusal;
  };
  CHECK(
      refusalBySudoOf("12345").ends_with("as whom this runs; run this as that user, without sudo"));
  for (const char *const other : {"12346", "0", "", "x"}) {
    CAPTURE(other);
    CHECK(refusalBySudoOf(other).ends_with("; run chown 0 " + place.file.string()));
  }
}

TEST_CASE("a link is trusted as its owner is, and what it leads to is looked at") {
  if (::geteuid() != 0) return; // only root can give a file away
  const Place place;
  const fs::path links = place.path / "links", link = links / "link";
  fs::create_directory(links);
  Place::mode(links, 01777);
  fs::create_symlink("../inner/file", link);
  CHECK(place.refusal(link).empty());
  Place::mode(place.file, 0666);
  CHECK(has(place.refusal(link), "others may write " + place.file.string()));
  Place::mode(place.file, 0644);
  // In a folder such as /tmp, anybody may make a link.
  Place::owner(link, stranger, 0);
  CHECK(has(place.refusal(link), "it is a link of user 12345"));
  CHECK(has(place.refusal(link), "chown -h"));
  const fs::path way = place.path / "way";
  fs::create_symlink(links, way);
  CHECK(has(place.refusal(way / "link"), link.string() + " is a link of user 12345"));
}

TEST_CASE("a secret as Kubernetes mounts it is trusted") {
  const Place place;
  // drwxrwxrwt /mount, ..data -> ..2026, token -> ..data/token
  Place::mode(place.inner, 01777);
  fs::create_directory(place.inner / "..2026");
  std::ofstream(place.inner / "..2026/token") << "secret";
  fs::create_symlink("..2026", place.inner / "..data");
  fs::create_symlink("..data/token", place.inner / "token");
  if (::geteuid() == 0) {
    Place::owner(place.inner / "..2026", 0, 54'321); // as fsGroup does
    Place::owner(place.inner / "..2026/token", 0, 54'321);
  }
  Place::mode(place.inner / "..2026/token", 0440);
  CHECK(place.refusal(place.inner / "token").empty());
}

TEST_CASE("the group that may write is the user's own") {
  if (::geteuid() != 0) return; // only root can give a file away
  const Place place;
  Place::mode(place.file, 0664);
  Place::mode(place.inner, 0775);
  CHECK(place.refusal().empty()); // umask 002, and root's group
  Place::owner(place.file, 0, 54'321);
  CHECK(has(place.refusal(), "others may write it; run chmod g"));
  Place::owner(place.file, 0, 100); // "users" is everybody's first group in some places
  CHECK(has(place.refusal(), "others may write it"));
  Place::owner(place.file, 0, 50); // "staff" of /usr/local has no members
  CHECK(place.refusal().empty());
  for (const char *user : {"www-data", "mail", "games"}) {
    CAPTURE(user);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    const struct group *const found = ::getgrnam(user);
    if (found == nullptr || ::getpwnam(user) == nullptr) continue; // NOLINT(concurrency-mt-unsafe)
    Place::owner(place.file, 0, found->gr_gid); // the first group of that user, who is not listed
    CHECK(has(place.refusal(), "others may write it"));
  }
}

TEST_CASE("an access control list that lets another user write is refused") {
  const Place place;
  // version, then (tag, permissions, user): owner rw, user 33 rw, group r, mask rw, others r
  const std::array<unsigned char, 44> list{2,   0,   0,   0,   1,   0,   6,  0,   255, 255, 255,
                                           255, 2,   0,   6,   0,   33,  0,  0,   0,   4,   0,
                                           4,   0,   255, 255, 255, 255, 16, 0,   6,   0,   255,
                                           255, 255, 255, 32,  0,   4,   0,  255, 255, 255, 255};
  for (const fs::path &path : {place.inner, place.file}) {
    CAPTURE(path);
    if (::setxattr(path.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0)
      return; // this file system has no lists
    CHECK(has(place.refusal(), "others may write"));
    CHECK(Place::mayOthersWrite(path));
    // The remedy in the message: without the mask's bit no listed user may write.
    Place::mode(path, path == place.file ? 0644 : 0755);
    CHECK(place.refusal().empty());
    CHECK_FALSE(Place::mayOthersWrite(path));
  }
}

TEST_CASE("of one file, nobody but its owner and root may write, whoever that is") {
  const Place place;
  CHECK_FALSE(Place::mayOthersWrite(place.file));
  for (const mode_t mode : {0646U, 0602U}) {
    Place::mode(place.file, mode);
    CHECK(Place::mayOthersWrite(place.file));
  }
  if (::geteuid() != 0) return; // only root can give a file away
  Place::owner(place.file, stranger, stranger);
  Place::mode(place.file, 0644);
  CHECK_FALSE(Place::mayOthersWrite(place.file));
  Place::mode(place.file, 0664); // the group is private to that user
  CHECK_FALSE(Place::mayOthersWrite(place.file));
  Place::owner(place.file, stranger, 54'321);
  CHECK(Place::mayOthersWrite(place.file));
}
