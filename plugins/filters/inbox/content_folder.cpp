// SPDX-License-Identifier: Apache-2.0
#include "content_folder.hpp"

#include "ground/descriptor.hpp"
#include "ground/document_names.hpp"
#include "ground/folder.hpp"
#include "ground/read_file.hpp"
#include "ground/text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost::inbox {
namespace {

constexpr std::size_t maxDepth = 32;

std::optional<mode_t> modeOf(int folder, const std::string &name) {
  struct stat status{};
  if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return status.st_mode;
}

bool isFileOrLink(mode_t mode) { return S_ISREG(mode) || S_ISLNK(mode); }

// Returns true if the folder with these names is that of a skill, as the filesystem source finds
// skills.
bool isSkill(int folder, const std::vector<std::string> &names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
    if (!sameText(name, "SKILL.md")) return false;
    const std::optional<mode_t> mode = modeOf(folder, name);
    return mode && isFileOrLink(*mode);
  });
}

// Returns true if a document lies in the folder, or if it is not certain that there is none.
bool mayHaveDocuments(int folder, std::size_t depth, std::size_t maxNames) {
  if (depth > maxDepth) return true;
  std::error_code error;
  const std::vector<std::string> names = namesIn(folder, error, maxNames);
  if (error || names.size() >= maxNames) return true;
  return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
    if (kindOfName(name) != NameKind::Document) return false;
    const std::optional<mode_t> mode = modeOf(folder, name);
    if (!mode || isFileOrLink(*mode)) return true;
    if (!S_ISDIR(*mode)) return false;
    const Descriptor below(::openat(folder, name.c_str(), asFolder));
    return !below || mayHaveDocuments(below.number(), depth + 1, maxNames);
  });
}

class Reading {
public:
  explicit Reading(const ReadLimits &limits) : limits_(limits) {}

  Status read(int folder, const std::string &below, std::size_t depth) {
    if (depth > maxDepth) return Failure{Fault::TooLarge, "its folders are nested too deeply"};
    std::error_code error;
    const std::vector<std::string> names = namesIn(folder, error, limits_.files * 4);
    if (error) return Failure{Fault::OperationFailed, below + ": " + error.message()};
    if (names.size() >= limits_.files * 4) return tooLarge();
    if (depth != 0 && isSkill(folder, names)) {
      content_.skills.push_back(below.substr(0, below.size() - 1));
      return Done{};
    }
    for (const std::string &name : names) {
      if (kindOfName(name) != NameKind::Document) continue;
      if (Status one = readOne(folder, name, below + name, depth); !one) return one;
    }
    return Done{};
  }

  FolderContent take() && { return std::move(content_); }

private:
  Status tooLarge() const {
    return Failure{Fault::TooLarge, "it has more than " + std::to_string(limits_.files) +
                                        " files or " + std::to_string(limits_.bytes) + " bytes"};
  }

  Status readOne(int folder, const std::string &name, const std::string &path, std::size_t depth) {
    struct stat status{};
    if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return failedNow(path);
    if (S_ISLNK(status.st_mode)) {
      std::array<char, 4'096> target{};
      const ssize_t length = ::readlinkat(folder, name.c_str(), target.data(), target.size());
      if (length < 0) return failedNow(path);
      return add(path, {"link to " + std::string(target.data(), static_cast<std::size_t>(length)),
                        false, true});
    }
    const bool isFolder = S_ISDIR(status.st_mode);
    if (!isFolder && !S_ISREG(status.st_mode)) return Done{}; // a pipe or a socket
    const Descriptor opened(
        ::openat(folder, name.c_str(),
                 isFolder ? asFolder : O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!opened) return failedNow(path);
    if (isFolder && name.starts_with('.')) {
      if (mayHaveDocuments(opened.number(), depth + 1, limits_.files * 4))
        content_.dotFolders.push_back(path);
      return Done{};
    }
    if (isFolder) return read(opened.number(), path + '/', depth + 1);
    Result<std::string> bytes = readDescriptor(opened.number(), limits_.bytes);
    if (!bytes && bytes.failure().fault == Fault::TooLarge) return tooLarge();
    if (!bytes) return Failure{Fault::OperationFailed, path + ": " + bytes.failure().message};
    return add(path, {*std::move(bytes), (status.st_mode & S_IXUSR) != 0});
  }

  Status add(const std::string &path, File file) {
    bytes_ += file.bytes.size();
    if (bytes_ > limits_.bytes || content_.files.size() == limits_.files) return tooLarge();
    content_.files[path] = std::move(file);
    return Done{};
  }

  const ReadLimits limits_;
  std::size_t bytes_ = 0;
  FolderContent content_;
};

Status writeFile(int folder, const std::string &name, const File &file, mode_t mode) {
  const Descriptor opened(
      ::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!opened || !writeAll(opened.number(), file.bytes) || ::fsync(opened.number()) != 0)
    return failedNow(name);
  return Done{};
}

// Writes a file below the folder, and makes the folders in its path.
Status writeBelow(int top, const std::string &path, const File &file, Readers readers) {
  const bool isPrivate = readers == Readers::Owner;
  Descriptor folder(::dup(top));
  if (!folder) return failedNow(path);
  std::size_t at = 0;
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', at)) {
    const std::string part = path.substr(at, end - at);
    if (::mkdirat(folder.number(), part.c_str(), isPrivate ? 0700 : 0777) != 0 && errno != EEXIST)
      return failedNow(path);
    Descriptor next(::openat(folder.number(), part.c_str(), asFolder));
    // The name of a new folder must be on disk, too.
    if (!next || ::fsync(folder.number()) != 0) return failedNow(path);
    folder = std::move(next);
    at = end + 1;
  }
  const mode_t run = file.executable ? (isPrivate ? 0100 : 0111) : 0;
  if (Status written =
          writeFile(folder.number(), path.substr(at), file, (isPrivate ? 0600 : 0666) | run);
      !written)
    return Failure{Fault::OperationFailed, written.failure().message};
  if (::fsync(folder.number()) != 0) return failedNow(path);
  return Done{};
}

} // namespace

Failure failedNow(const std::string &what) {
  return {Fault::OperationFailed, what + ": " + std::generic_category().message(errno)};
}

Result<std::optional<FolderContent>> readContent(int parent, const std::string &name,
                                                 const ReadLimits &limits) {
  const Descriptor folder(::openat(parent, name.c_str(), asFolder));
  if (!folder && errno == ENOENT) return std::optional<FolderContent>();
  if (!folder && (errno == ENOTDIR || errno == ELOOP))
    return {Fault::Conflict, name + " is a link or a file, and not a folder"};
  if (!folder) return failedNow(name);
  Reading reading(limits);
  if (const Status read = reading.read(folder.number(), "", 0); !read)
    return Failure{read.failure().fault, name + ": " + read.failure().message};
  return std::optional<FolderContent>(std::move(reading).take());
}

Status writeContent(int parent, const std::string &name, const Files &files, Readers readers) {
  if (::mkdirat(parent, name.c_str(), readers == Readers::Owner ? 0700 : 0777) != 0)
    return failedNow(name);
  const Descriptor folder(::openat(parent, name.c_str(), asFolder));
  if (!folder) return failedNow(name);
  for (const auto &[path, file] : files)
    if (Status written = writeBelow(folder.number(), path, file, readers); !written) return written;
  if (::fsync(parent) != 0) return failedNow(name);
  return Done{};
}

Status removeAll(int parent, const std::string &name) {
  if (::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT) return Done{};
  if (errno != EISDIR && errno != EPERM) return failedNow(name);
  const Descriptor folder(::openat(parent, name.c_str(), asFolder));
  if (!folder) return failedNow(name);
  std::error_code error;
  for (const std::string &inside : namesIn(folder.number(), error))
    if (Status removed = removeAll(folder.number(), inside); !removed) return removed;
  if (error) return Failure{Fault::OperationFailed, name + ": " + error.message()};
  if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0) return failedNow(name);
  return Done{};
}

} // namespace skillhost::inbox
