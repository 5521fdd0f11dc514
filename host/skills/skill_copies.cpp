// SPDX-License-Identifier: Apache-2.0
#include "skills/skill_copies.hpp"

#include "base/log.hpp"
#include "ground/folder.hpp"
#include "ground/random.hpp"
#include "ground/trusted_path.hpp"
#include "skillmd/path_rewriter.hpp"
#include "skillmd/script_description.hpp"
#include "skills/view.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxCopiedFiles = 512;
constexpr std::uint64_t maxCopiedBytes = 16U << 20U; // of one skill
constexpr std::uint64_t maxTotalBytes = 256U << 20U; // of a process
constexpr std::chrono::minutes triedAgainAfter{1};
constexpr std::string_view lockSuffix = ".lock";
constexpr std::size_t bytesOfName = 4; // in the name of a process's folder, as twice as many digits

Failure copyingFailed(const std::string &path, int error) {
  return {Fault::OperationFailed, path + ": " + std::strerror(error)};
}

// Sets the mode of a folder and of those within, because entries can be removed only while their
// folder is writable. Does nothing if the path is a link, which leads to a folder that is not ours.
void setModeOfFolders(const std::string &path, fs::perms mode) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(path, error))) return;
  std::vector<std::string> folders{path};
  for (std::size_t i = 0; i < folders.size(); ++i)
    for (const std::string &name : namesIn(folders[i], error)) {
      std::string below = folders[i] + '/' + name;
      if (fs::is_directory(fs::symlink_status(below, error))) folders.push_back(std::move(below));
    }
  for (const std::string &folder : folders)
    fs::permissions(folder, mode, fs::perm_options::replace | fs::perm_options::nofollow, error);
}

void removeTree(const std::string &path) noexcept try {
  std::error_code error;
  setModeOfFolders(path, fs::perms::owner_all);
  fs::remove_all(path, error);
} catch (const std::exception &) {
  // Memory ran out. The next start removes the tree.
}

// Succeeds if the folder is private, or does not exist yet. Others who can write there, or replace
// the folder, could place scripts of theirs in it or have files of this user removed.
Status checkPrivateFolder(const std::string &path) {
  if (Status trusted = checkTrusted(path); !trusted) return trusted;
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0)
    return errno == ENOENT ? Status(Done{}) : copyingFailed(path, errno);
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 0777U) != 0700)
    return Failure{Fault::OperationFailed,
                   path + ": it must be a folder, and no link, of this user with mode 0700"};
  return Done{};
}

Status makePrivateFolder(const std::string &path) {
  if (Status before = checkPrivateFolder(path); !before) return before;
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return copyingFailed(path, errno);
  return checkPrivateFolder(path); // another process may have made it, or one above it, meanwhile
}

// Locks the file. Returns no descriptor if another process holds the lock.
Descriptor lockOf(const std::string &path, int flags) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
  if (!file || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) return {};
  // A process that removes old folders may have removed the file before it was locked.
  struct stat mine{};
  struct stat there{};
  if (::fstat(file.number(), &mine) != 0 || ::lstat(path.c_str(), &there) != 0 ||
      mine.st_ino != there.st_ino)
    return {};
  return file;
}

bool isNameOfLock(std::string_view name) {
  if (name.size() != 2 * bytesOfName + lockSuffix.size() || !name.ends_with(lockSuffix))
    return false;
  name.remove_suffix(lockSuffix.size());
  return name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Removes the folders of processes that were killed. The directory must be private.
void removeLeft(const std::string &directory) {
  std::error_code error;
  for (const std::string &name : namesIn(directory, error)) {
    if (!isNameOfLock(name)) continue;
    const std::string path = directory + '/' + name;
    const Descriptor lock = lockOf(path, 0);
    if (!lock) continue;
    removeTree(path.substr(0, path.size() - lockSuffix.size()));
    ::unlink(path.c_str());
  }
}

// Returns the directory, or an empty path if others can write into it.
std::string ifPrivate(std::string directory) {
  if (directory.empty()) return directory;
  const Status status = checkPrivateFolder(directory);
  if (status) return directory;
  log::warning("skills", "no skill is copied to this machine, read_skill_document reads their "
                         "files: " +
                             status.failure().message);
  return {};
}

// True if the copy exists. Somebody who cleans the cache may have removed it.
bool isThere(const SkillCopies::SkillPointer &copy) {
  return copy != nullptr && ::access(copy->folder.c_str(), F_OK) == 0;
}

// Returns 24 digits of the key, so that nobody can make another skill that has the same.
std::string keyInPaths(const Skill &skill) { return skill.contentKey.substr(0, 24); }

// A copy has the name that the folder of the skill has at its source.
std::string folderNameOf(const Skill &skill) {
  const std::string name(namesOf(skill).folder);
  return name.empty() ? "skill" : name;
}

} // namespace

SkillDraft::~SkillDraft() { removeTree(folder_); }

bool SkillDraft::hasFailed() const {
  return failed_.with([](const Status &status) { return !status; });
}

void SkillDraft::write(std::size_t file, const Result<std::string> &bytes) {
  if (hasFailed()) return;
  Status status = bytes ? writeFile(file, *bytes) : Status(bytes.failure());
  if (status) return;
  failed_.with([&](Status &first) {
    if (first) first = std::move(status);
  });
}

Status SkillDraft::writeFile(std::size_t file, const std::string &bytes) {
  const std::string &path = skill_->filePaths[file];
  if (normaliseRelative(path) != path)
    return Failure{Fault::OperationFailed, path + " is no path below the skill"};
  const std::uint64_t soFar = bytes_ += bytes.size();
  if (soFar > maxCopiedBytes)
    return Failure{Fault::TooLarge,
                   "it has more than " + std::to_string(maxCopiedBytes) + " bytes"};
  const std::string root = folder_ + '/' + folderNameOf(*skill_) + '/';
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1))
    if (const std::string above = root + path.substr(0, slash);
        ::mkdir(above.c_str(), 0700) != 0 && errno != EEXIST)
      return copyingFailed(above, errno);
  // O_EXCL: if the file system takes two names for one, the second file must not overwrite the
  // first.
  const std::string place = root + path;
  const Descriptor out(
      ::open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  const bool isRun = skill_->files[file].executable || isScript(path, false);
  if (!out || !writeAll(out.number(), bytes) || ::fchmod(out.number(), isRun ? 0555 : 0444) != 0)
    return copyingFailed(place, errno);
  return Done{};
}

SkillCopies::SkillCopies(std::string directory) : directory_(ifPrivate(std::move(directory))) {
  if (!directory_.empty()) removeLeft(directory_);
}

SkillCopies::~SkillCopies() {
  own_.with([](const Own &own) {
    if (own.folder.empty()) return;
    removeTree(own.folder);
    ::unlink((own.folder + std::string(lockSuffix)).c_str());
  });
}

Status SkillCopies::makeOwn(Own &own) const {
  if (!own.folder.empty()) return Done{};
  if (const Status made = makePrivateFolder(directory_); !made) return made;
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::string folder = directory_ + '/' + randomHex(bytesOfName);
    Descriptor lock = lockOf(folder + std::string(lockSuffix), O_CREAT | O_EXCL);
    if (!lock || ::mkdir(folder.c_str(), 0700) != 0) continue;
    own.folder = std::move(folder);
    own.lock = std::move(lock);
    return Done{};
  }
  return Failure{Fault::OperationFailed, directory_ + ": no folder can be made or locked there"};
}

bool SkillCopies::shouldCopy(const Skill &skill) const {
  if (directory_.empty() || !skill.folder.empty() || skill.files.size() < 2 ||
      skill.files.size() > maxCopiedFiles)
    return false;
  std::uint64_t bytes = 0;
  for (const Document &document : skill.files)
    if (document.length != UINT64_MAX) bytes += std::min(document.length, maxCopiedBytes + 1);
  if (bytes > maxCopiedBytes) return false;
  return copies_.with([&](const auto &all) {
    if (const auto known = all.find(skill.contentKey); known != all.end())
      return !isThere(known->second.onDisk) &&
             std::chrono::steady_clock::now() >= known->second.tryAgain;
    for (const auto &[key, copy] : all) bytes += copy.bytes;
    return bytes <= maxTotalBytes;
  });
}

SkillCopies::SkillPointer SkillCopies::onDisk(const SkillPointer &skill) const {
  if (directory_.empty() || !skill->folder.empty()) return skill;
  return copies_.with([&](const auto &all) {
    const auto known = all.find(skill->contentKey);
    return known != all.end() && known->second.onDisk ? known->second.onDisk : skill;
  });
}

std::shared_ptr<SkillDraft> SkillCopies::begin(const SkillPointer &skill) {
  std::string folder;
  const Status made = own_.with([&](Own &own) -> Status {
    if (const Status ready = makeOwn(own); !ready) return ready;
    folder = own.folder + '/' + std::to_string(++own.drafts) + ".draft";
    for (const std::string &one : {folder, folder + '/' + folderNameOf(*skill)})
      if (::mkdir(one.c_str(), 0700) != 0) return copyingFailed(one, errno);
    return Done{};
  });
  auto draft = std::make_shared<SkillDraft>(skill, std::move(folder));
  draft->failed_.with([&](Status &status) { status = made; });
  return draft;
}

Status SkillCopies::take(SkillDraft &draft, IsServed isServed) {
  const Skill &skill = *draft.skill_;
  Status status = draft.failed_.copy();
  const std::string folder =
      draft.folder_.substr(0, draft.folder_.rfind('/') + 1) + keyInPaths(skill);
  return copies_.with([&](auto &all) -> Status {
    Copy &copy = all[skill.contentKey];
    if (isThere(copy.onDisk)) return Done{}; // another call made it meanwhile
    copy.onDisk = nullptr;
    copy.isServed = std::move(isServed);
    if (status) {
      const std::string inside = draft.folder_ + '/' + folderNameOf(skill);
      setModeOfFolders(inside, fs::perms{0555});
      removeTree(folder); // somebody who cleans the cache may have left a part of the last copy
      if (::rename(draft.folder_.c_str(), folder.c_str()) != 0)
        status = copyingFailed(folder, errno);
    }
    if (!status) {
      copy.tryAgain = std::chrono::steady_clock::now() + triedAgainAfter;
      return status;
    }
    copy.bytes = draft.bytes_;
    copy.onDisk = asCopyIn(skill, folder + '/' + folderNameOf(skill));
    return Done{};
  });
}

void SkillCopies::keepServed(const std::shared_ptr<const Catalogue> &now) {
  std::vector<std::pair<std::string, IsServed>> copies;
  copies_.with([&](const auto &all) {
    for (const auto &[key, copy] : all) copies.emplace_back(key, copy.isServed);
  });
  for (const auto &[key, isServed] : copies) {
    if (isServed(now)) continue;
    const std::string &gone = key;
    copies_.with([&](auto &all) {
      const auto found = all.find(gone);
      if (found == all.end()) return;
      // Under the lock, so that a new copy of the same skill is not removed with it.
      if (const SkillPointer &skill = found->second.onDisk)
        removeTree(fs::path(skill->folder).parent_path().string());
      all.erase(found);
    });
  }
}

} // namespace skillhost
