// SPDX-License-Identifier: Apache-2.0
#include "beneath/top_link.hpp"

#include "ground/document_names.hpp"
#include "ground/text.hpp"
#include "ground/trusted_path.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace skillhost::beneath {
namespace {

std::string canonicalOf(const std::string &path) {
  std::array<char, PATH_MAX> buffer{};
  return ::realpath(path.c_str(), buffer.data()) == nullptr ? std::string() : buffer.data();
}

bool isWithin(std::string_view path, std::string_view folder) noexcept {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Returns the target stated in the link, even if nothing is there.
std::string statedTarget(const Root &folder, const std::string &name) {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t size =
      ::readlinkat(folder.descriptor.number(), name.c_str(), buffer.data(), buffer.size());
  if (size <= 0) return {};
  const std::string stated(buffer.data(), static_cast<std::size_t>(size));
  return (std::filesystem::path(folder.canonical) / stated).lexically_normal().string();
}

struct FolderClosed {
  void operator()(DIR *folder) const noexcept { ::closedir(folder); }
};

// Returns the name of a regular file SKILL.md, in any case of its letters; empty if there is none.
std::string entryIn(int folder) {
  const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (own < 0) return {};
  const std::unique_ptr<DIR, FolderClosed> entries(::fdopendir(own));
  if (!entries) {
    ::close(own);
    return {};
  }
  constexpr std::string_view entry = "skill.md";
  while (const dirent *const one = ::readdir(entries.get())) { // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = one->d_name;
    if (std::equal(name.begin(), name.end(), entry.begin(), entry.end(),
                   [](char a, char b) { return asciiLowered(a) == b; }))
      return std::string(name);
  }
  return {};
}

// Says why a skill's folder that should belong to `owner` is not served from there; "" if it is.
std::string faultOf(const std::string &path, int folder, const struct stat &status, uid_t owner) {
  if (!S_ISDIR(status.st_mode)) return "it leads to a file";
  if (status.st_uid != owner) return "its target belongs to another user than the link";
  if (mayOthersWrite(path, status)) return "other users may write to its target";
  const std::string entry = entryIn(folder);
  struct stat document{};
  if (entry.empty() || ::fstatat(folder, entry.c_str(), &document, AT_SYMLINK_NOFOLLOW) != 0)
    return "its target is no folder with a SKILL.md";
  if (document.st_uid != owner || mayOthersWrite(path + '/' + entry, document))
    return "other users may write to the SKILL.md of its target";
  return {};
}

// Returns a folder on the way to the target that other users may write to, because they could
// replace the target there.
std::string openWay(const std::string &target, const std::string &allowed) {
  for (std::string at = target.substr(0, target.rfind('/')); at.size() > allowed.size();
       at.resize(at.rfind('/'))) {
    struct stat status{};
    if (::lstat(at.c_str(), &status) != 0 || mayOthersWrite(at, status)) return at;
  }
  return {};
}

} // namespace

bool liesIn(std::string_view path, const std::string &folder) {
  const std::string real = canonicalOf(folder);
  return !real.empty() && isWithin(path, real);
}

std::vector<std::string> usualLinkTargets(const std::string &home) {
  if (!home.starts_with('/') || home.size() == 1) return {};
  return {home + "/.agents/skills"};
}

TopLink checkTopLink(const Root &folder, const std::string &name,
                     const std::vector<std::string> &allowed) {
  TopLink link;
  link.target = canonicalOf(folder.canonical + '/' + name);
  if (link.target.empty()) {
    link.refusal = std::strerror(errno);
    link.target = statedTarget(folder, name);
    return link;
  }
  struct stat own{}, status{};
  const Descriptor open(::open(link.target.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (::fstatat(folder.descriptor.number(), name.c_str(), &own, AT_SYMLINK_NOFOLLOW) != 0 ||
      !open || ::fstat(open.number(), &status) != 0) {
    link.refusal = std::strerror(errno);
    return link;
  }
  link.device = static_cast<std::uint64_t>(status.st_dev);
  link.inode = static_cast<std::uint64_t>(status.st_ino);
  std::string above;
  for (const std::string &one : allowed) {
    const std::string real = canonicalOf(one);
    if (!real.empty() && link.target != real && isWithin(link.target, real)) above = real;
  }
  link.refusal = faultOf(link.target, open.number(), status, own.st_uid);
  if (!link.refusal.empty()) return link;
  if (above.empty())
    link.refusal = "its target, " + link.target + ", lies in no folder that links may lead into";
  else if (const std::string way = openWay(link.target, above); !way.empty())
    link.refusal = "other users may write to " + way + ", on the way to its target";
  return link;
}

Opened openTarget(const TopLink &link) {
  Descriptor open(::open(link.target.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status{};
  if (!open || ::fstat(open.number(), &status) != 0) return {{}, errno};
  const bool isSame = static_cast<std::uint64_t>(status.st_dev) == link.device &&
                      static_cast<std::uint64_t>(status.st_ino) == link.inode;
  if (!isSame || mayOthersWrite(link.target, status)) return {{}, ESTALE};
  return {std::move(open), 0};
}

std::string linkTextIn(const std::string &path) {
  constexpr std::size_t maxLinkBytes = 1'024;
  const Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status{};
  if (!file || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size > static_cast<off_t>(maxLinkBytes))
    return {};
  std::string text(maxLinkBytes, '\0');
  const ssize_t size = ::read(file.number(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return looksLikeLinkText(text) ? text : std::string();
}

} // namespace skillhost::beneath
