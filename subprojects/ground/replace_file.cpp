// SPDX-License-Identifier: Apache-2.0
#include "ground/replace_file.hpp"

#include "ground/descriptor.hpp"
#include "ground/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace skillhost {
namespace {

Failure cannotWrite(const std::string &path) {
  return {Fault::OperationFailed,
          path + ": cannot be written: " + std::generic_category().message(errno)};
}

// Returns true if the open file still has this path. Another writer may have renamed it meanwhile.
bool stillHasPath(int descriptor, const std::string &path) {
  struct stat open{}, named{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

// Returns the path of the temporary file of replaceFile(). It is the same for all writers of a
// path, so that the next writer overwrites what a killed one has left.
std::string draftOf(const std::filesystem::path &target) {
  return (target.parent_path() / ("." + target.filename().string() + ".new")).string();
}

std::filesystem::path targetOf(const std::string &path) {
  std::error_code unknown;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? std::filesystem::path(path) : resolved;
}

// Gives the open file the owner and the group of the file at `like`, so that a file that root
// rewrites still belongs to its user. Call this before fchmod(), because fchown() may clear the
// set-user-ID and set-group-ID bits.
Status keepOwner(int file, const std::string &path, const std::string &like) {
  struct stat wanted{}, facts{};
  if (like.empty() || ::stat(like.c_str(), &wanted) != 0) return Done{};
  if (::fstat(file, &facts) != 0) return cannotWrite(path);
  const bool isSame = facts.st_uid == wanted.st_uid && facts.st_gid == wanted.st_gid;
  if (isSame || ::fchown(file, wanted.st_uid, wanted.st_gid) == 0) return Done{};
  return Failure{Fault::OperationFailed,
                 path + ": belongs to the user " + std::to_string(wanted.st_uid) +
                     " and the group " + std::to_string(wanted.st_gid) + ", who would lose it: " +
                     std::generic_category().message(errno) + "; run this as that user"};
}

bool hasContent(const std::filesystem::path &path, std::string_view expected) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return !error && expected.empty();
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return false;
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return !file.bad() && content == expected;
}

// Creates a temporary file beside `name` and stores its name in `beside`. Returns an empty
// Descriptor and sets errno on failure. Process ids repeat in containers, so a killed process may
// have left a file with the same name. Then the next number is tried.
Descriptor createTemporaryBeside(int folder, const std::string &name, std::string &beside) {
  static std::atomic<unsigned> count{0};
  constexpr int attempts = 1000;
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const std::string ours = name + std::string(besideMark) + std::to_string(::getpid()) + ".";
  Descriptor file;
  for (int i = 0; !file && i < attempts && (i == 0 || errno == EEXIST); ++i) {
    beside = ours + std::to_string(count.fetch_add(1));
    file = Descriptor(::openat(folder, beside.c_str(), flags, S_IRUSR | S_IWUSR));
  }
  return file;
}

// Opens the draft, which has `mode` less the umask if it is created. Sets `isNew` if it is. Returns
// an empty Descriptor and sets errno on failure.
Descriptor openDraft(const std::string &draft, mode_t mode, bool &isNew) {
  constexpr int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK; // a FIFO must not block it
  for (;;) {
    Descriptor file(::open(draft.c_str(), flags | O_CREAT | O_EXCL, mode));
    isNew = static_cast<bool>(file);
    if (isNew || errno != EEXIST) return file;
    file = Descriptor(::open(draft.c_str(), flags));
    if (file || errno != ENOENT) return file; // ENOENT: another writer has just renamed it
  }
}

} // namespace

Status writeFileBeside(int folder, const std::string &name, std::string_view bytes, Flush flush) {
  std::string beside;
  const Descriptor file = createTemporaryBeside(folder, name, beside);
  if (!file) return cannotWrite(name);
  if (!writeAll(file.number(), bytes) || (flush == Flush::Now && ::fsync(file.number()) != 0) ||
      ::renameat(folder, beside.c_str(), folder, name.c_str()) != 0) {
    Failure failure = cannotWrite(name);
    ::unlinkat(folder, beside.c_str(), 0);
    return failure;
  }
  if (flush == Flush::Later) return Done{};
  const std::string parent = name.substr(0, name.rfind('/') + 1);
  const Descriptor opened(
      ::openat(folder, parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened || ::fsync(opened.number()) != 0) return cannotWrite(name);
  return Done{};
}

void removeRemains(const std::string &folder) {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open) removeRemains(open.number());
}

void removeRemains(int folder) {
  constexpr std::time_t minAgeSeconds = 3600; // no writer takes so long
  const std::time_t now = std::time(nullptr);
  std::error_code unread;
  for (const std::string &name : namesIn(folder, unread)) {
    struct stat facts{};
    if (name.find(besideMark) != std::string::npos &&
        ::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
        now - facts.st_mtime > minAgeSeconds)
      ::unlinkat(folder, name.c_str(), 0);
  }
}

void removeDraft(const std::string &path) {
  const std::string draft = draftOf(targetOf(path));
  const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  // A draft that is locked belongs to a running writer and stays.
  if (file.number() >= 0 && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0 &&
      stillHasPath(file.number(), draft))
    ::unlink(draft.c_str());
}

Status replaceFile(const std::string &path, std::string_view bytes, FileReaders readers,
                   FileLinks links, std::optional<std::string_view> expected,
                   const std::string &ownedAs) {
  const mode_t newMode = readers == FileReaders::Owner ? 0600 : 0644; // reduced by the umask
  const std::filesystem::path target =
      links == FileLinks::Follow ? targetOf(path) : std::filesystem::path(path);
  std::error_code unknown;
  if (links == FileLinks::Follow && std::filesystem::is_symlink(target, unknown))
    return Failure{Fault::OperationFailed,
                   path + ": is a link to " +
                       std::filesystem::read_symlink(target, unknown).string() +
                       ", which is not there: make that file, or remove the link"};
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const std::string draft = draftOf(target);
  for (;;) {
    bool isNew = false;
    const Descriptor file = openDraft(draft, newMode, isNew);
    if (!file) return cannotWrite(draft);
    struct stat facts{};
    if (::fstat(file.number(), &facts) != 0) return cannotWrite(draft);
    if (!S_ISREG(facts.st_mode))
      return Failure{Fault::OperationFailed, draft + ": is no file; remove it"};
    // The lock makes writers of one path wait for each other.
    if (::flock(file.number(), LOCK_EX) != 0) return cannotWrite(draft);
    if (!stillHasPath(file.number(), draft)) continue;
    if (expected && !hasContent(target, *expected)) {
      ::unlink(draft.c_str());
      return Failure{Fault::Conflict, path + ": was changed by somebody else; try again"};
    }
    struct stat before{};
    const bool replacesFile = ::lstat(target.c_str(), &before) == 0 && !S_ISLNK(before.st_mode);
    // A draft that a killed writer has left may have another owner and another mode than a new
    // file. Only open() applies the umask, so the draft is created again.
    if (!isNew && !replacesFile) {
      if (::unlink(draft.c_str()) != 0) return cannotWrite(draft);
      continue;
    }
    if (Status kept = keepOwner(file.number(), path, replacesFile ? target.string() : ownedAs);
        !kept) {
      ::unlink(draft.c_str());
      return kept;
    }
    if ((replacesFile && ::fchmod(file.number(), before.st_mode & 07777U) != 0) ||
        (readers == FileReaders::Owner && ::fchmod(file.number(), 0600) != 0))
      return cannotWrite(draft);
    if (::ftruncate(file.number(), 0) != 0 || !writeAll(file.number(), bytes) ||
        ::fsync(file.number()) != 0) {
      Failure failure = cannotWrite(path);
      ::unlink(draft.c_str());
      return failure;
    }
    if (::rename(draft.c_str(), target.c_str()) != 0) {
      Failure failure = cannotWrite(path);
      ::unlink(draft.c_str());
      return failure;
    }
    break;
  }
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() < 0 || ::fsync(directory.number()) != 0) return cannotWrite(path);
  return Done{};
}

} // namespace skillhost
