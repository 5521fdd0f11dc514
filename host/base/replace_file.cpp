// SPDX-License-Identifier: Apache-2.0
#include "base/replace_file.hpp"

#include "base/descriptor.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace skillhost {
namespace {

constexpr mode_t forEverybody = 0644; // less the umask

Failure cannotWrite(const std::string &path) {
  return {Fault::OperationFailed,
          path + ": cannot be written: " + std::generic_category().message(errno)};
}

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Is the open file still the one of that name? Another writer may have renamed it meanwhile.
bool isStill(int descriptor, const std::string &path) {
  struct stat open{}, named{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

// One name for all writers: what one that was killed has left, the next one overwrites.
std::string draftOf(const std::filesystem::path &target) {
  return (target.parent_path() / ("." + target.filename().string() + ".new")).string();
}

std::filesystem::path targetOf(const std::string &path) {
  std::error_code unknown;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? std::filesystem::path(path) : resolved;
}

} // namespace

void removeDraft(const std::string &path) {
  const std::string draft = draftOf(targetOf(path));
  const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  // One that is locked is being written.
  if (file.number() >= 0 && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0 &&
      isStill(file.number(), draft))
    ::unlink(draft.c_str());
}

Status replaceFile(const std::string &path, std::string_view bytes) {
  const std::filesystem::path target = targetOf(path);
  const std::filesystem::path folder = target.parent_path();
  const std::string draft = draftOf(target);
  for (;;) {
    const Descriptor file(
        ::open(draft.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, forEverybody));
    if (file.number() < 0) return cannotWrite(draft);
    if (::flock(file.number(), LOCK_EX) != 0) return cannotWrite(draft);
    if (!isStill(file.number(), draft)) continue;
    if (::ftruncate(file.number(), 0) != 0 || !writeAll(file.number(), bytes) ||
        ::fsync(file.number()) != 0) {
      Failure failure = cannotWrite(path);
      ::unlink(draft.c_str());
      return failure;
    }
    if (::rename(draft.c_str(), target.c_str()) != 0) return cannotWrite(path);
    break;
  }
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() < 0 || ::fsync(directory.number()) != 0) return cannotWrite(path);
  return Done{};
}

} // namespace skillhost
