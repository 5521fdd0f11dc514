// SPDX-License-Identifier: Apache-2.0
#include "skills/skill_copies.hpp"

#include "ground/descriptor.hpp"
#include "ground/random.hpp"
#include "ground/read_file.hpp"
#include "skills/path_rewriter.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostFilesOfCopy = 512;
constexpr std::uint64_t mostBytesOfCopy = 16U << 20U;
constexpr std::chrono::hours unusedFor{24 * 30};

std::string keyOf(const Skill &skill) { return skill.contentKey.substr(0, 32); }

Failure failedAt(const std::string &path, int error) {
  return {Fault::OperationFailed, path + ": " + std::strerror(error)};
}

// Others who may write there could put scripts of theirs into a copy.
Status makeOwnDirectory(const std::string &path) {
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  if (::mkdir(path.c_str(), 0700) == 0) return Done{};
  if (errno != EEXIST) return failedAt(path, errno);
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return failedAt(path, errno);
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 022) != 0)
    return Failure{Fault::OperationFailed,
                   path + ": it must be a folder of this user's that nobody else may write"};
  return Done{};
}

Status writeFileOfCopy(const std::string &path, std::string_view bytes, bool executable) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                               executable ? 0555 : 0444));
  if (!file || !writeAll(file.number(), bytes)) return failedAt(path, errno);
  return Done{};
}

bool isSameFile(const std::string &path, const std::string &bytes) {
  const Result<std::string> read = readFile(path, bytes.size(), FileKind::Regular);
  return read && *read == bytes;
}

bool holdsBytes(const std::string &folder, const Skill &skill,
                const std::vector<std::string> &bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (!isSameFile(folder + '/' + skill.filePaths[i], bytes[i])) return false;
  return true;
}

Status writeFiles(const std::string &folder, const Skill &skill,
                  const std::vector<std::string> &bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::string &path = skill.filePaths[i];
    if (normaliseRelative(path) != path)
      return Failure{Fault::OperationFailed, "a file of " + skill.id + " has no usable path"};
    const std::string whole = folder + '/' + path;
    std::error_code error;
    fs::create_directories(fs::path(whole).parent_path(), error);
    if (error) return failedAt(whole, error.value());
    if (Status written = writeFileOfCopy(whole, bytes[i], skill.files[i].executable); !written)
      return written;
  }
  return Done{};
}

void removeUnused(const std::string &directory) {
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(directory, error)) {
    std::error_code ignored;
    const fs::file_time_type used = entry.last_write_time(ignored);
    const bool draft = entry.path().filename().string().starts_with('.');
    const auto age = fs::file_time_type::clock::now() - used;
    if (!ignored && age > (draft ? std::chrono::hours(1) : unusedFor))
      fs::remove_all(entry.path(), ignored);
  }
}

// `made` becomes `place`; what was there goes.
Status putInPlace(const std::string &made, const std::string &place) {
  const std::string old = made + ".old";
  const bool replaces = ::rename(place.c_str(), old.c_str()) == 0;
  const int result = ::rename(made.c_str(), place.c_str());
  const int error = errno;
  std::error_code ignored;
  if (replaces) fs::remove_all(old, ignored);
  // Another process may have put the same there meanwhile.
  if (result == 0 || error == EEXIST || error == ENOTEMPTY) return Done{};
  return failedAt(place, error);
}

} // namespace

bool SkillCopies::wants(const Skill &skill) const noexcept {
  if (directory_.empty() || !skill.folder.empty()) return false;
  if (skill.files.size() < 2 || skill.files.size() > mostFilesOfCopy) return false;
  std::uint64_t bytes = 0;
  for (const Document &file : skill.files) {
    if (file.length > mostBytesOfCopy) return false; // or not known
    bytes += file.length;
  }
  return bytes <= mostBytesOfCopy;
}

std::string SkillCopies::folderOf(const Skill &skill) const {
  const std::string_view path = skill.path;
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.empty() || name == "." || name == "..") name = skill.fields.toolName;
  return directory_ + '/' + keyOf(skill) + '/' + std::string(name);
}

bool SkillCopies::has(const Skill &skill) const {
  if (directory_.empty() || !skill.folder.empty()) return false;
  const std::string folder = folderOf(skill);
  return written_.with([&](const auto &all) { return all.contains(folder); }) &&
         ::access(folder.c_str(), F_OK) == 0;
}

Status SkillCopies::write(const Skill &skill, const std::vector<std::string> &bytes) {
  const std::string place = directory_ + '/' + keyOf(skill), folder = folderOf(skill);
  if (Status made = makeOwnDirectory(directory_); !made) return made;
  const bool first = written_.with([](const auto &all) { return all.empty(); });
  if (first) removeUnused(directory_);
  if (holdsBytes(folder, skill, bytes)) {
    ::utimensat(AT_FDCWD, place.c_str(), nullptr, 0); // it is used
  } else {
    const std::string draft = directory_ + "/.new-" + randomHex(8);
    Status status = writeFiles(draft + folder.substr(place.size()), skill, bytes);
    if (status) status = putInPlace(draft, place);
    std::error_code ignored;
    fs::remove_all(draft, ignored);
    if (!status) return status;
    if (!holdsBytes(folder, skill, bytes))
      return Failure{Fault::OperationFailed, folder + ": other bytes stand there"};
  }
  written_.with([&](auto &all) { all.insert(folder); });
  return Done{};
}

} // namespace skillhost
