// SPDX-License-Identifier: Apache-2.0
#include "folder_visit.hpp"

#include "file_content.hpp"
#include "ground/document_names.hpp"
#include "paths/names.hpp"
#include "real_path.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace skillhost::filesystem {
namespace {

constexpr const char *holdsSecret =
    "left out: by its name it holds a secret; take it out of the skill, or give it another name";

Place placeOf(const struct stat &status) noexcept {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

void countOrThrow(std::atomic<std::size_t> &counter, std::size_t limit, const char *what) {
  if (counter.fetch_add(1, std::memory_order_relaxed) < limit) return;
  throw skh::Error(SKH_TOO_LARGE, "the directories hold more than " + std::to_string(limit) + " " +
                                      what + " (max_files): exclude some, or raise it");
}

} // namespace

void FolderVisit::visit(std::vector<std::unique_ptr<Folder>> &children) {
  context_.checkpoint();
  countOrThrow(context_.folders, context_.settings.maxFiles, "folders");
  folder_.owner = folder_.parent != nullptr ? folder_.parent->owner : nullptr;
  if (!open()) return;
  // Sets the watch before reading, so that a change in between is both seen and reported.
  context_.watches.visit(descriptor_.number(), folder_.place);
  std::vector<DirectoryEntry> entries;
  if (const int error = readEntries(descriptor_.number(), entries); error != 0) {
    warn("", std::string("the folder cannot be read to its end: ") + std::strerror(error));
  }
  const std::size_t known = children.size();
  sortEntries(entries, children);
  chooseEntry();
  for (const std::string &name : outsideLinks_) followOutside(name, children);
  if (folder_.parent == nullptr && folder_.owner == nullptr) warnOfLinkTexts();
  if (folder_.owner != nullptr)
    children.erase(std::remove_if(children.begin() + static_cast<std::ptrdiff_t>(known),
                                  children.end(),
                                  [&](const auto &child) { return !mayHoldDocuments(*child); }),
                   children.end());
  if (folder_.owner == nullptr || !folder_.owner->listed) return;
  folder_.files.reserve(candidates_.size());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (i % 64 == 63) context_.checkpoint();
    addFile(candidates_[i]);
  }
}

bool FolderVisit::openFolder() {
  context_.checkpoint();
  return open();
}

bool FolderVisit::open() {
  Opened opened = openIn(*folder_.root, folder_.within(), O_RDONLY | O_DIRECTORY);
  struct stat status{};
  if (opened.error == 0 && ::fstat(opened.descriptor.number(), &status) != 0) opened.error = errno;
  if (opened.error != 0) {
    if (opened.error == EMFILE || opened.error == ENFILE) {
      throw skh::Error(SKH_UNAVAILABLE, "too many open files");
    }
    const bool vanished = opened.error == ENOENT || opened.error == ENOTDIR;
    if (!vanished) {
      warn("", std::string("the folder cannot be read: ") + std::strerror(opened.error));
    }
    return false;
  }
  descriptor_ = std::move(opened.descriptor);
  folder_.place = placeOf(status);
  if (folder_.linked && isLinkLoop()) {
    warn("", "a symbolic link to a folder it lies in is not followed");
    return false;
  }
  if (folder_.parent == nullptr)
    folder_.real = folder_.root->canonical;
  else if (folder_.linked)
    folder_.real = realPath(*folder_.root, folder_.within(), status);
  else
    folder_.real = paths::joined(
        folder_.parent->real, std::string_view(folder_.path).substr(folder_.path.rfind('/') + 1));
  if (folder_.real.empty()) return false; // replaced meanwhile: its watch triggers another look
  if (folder_.linked && kindOfPath(withinSkill(folder_.real)) != NameKind::Document) return false;
  const bool mounted = folder_.parent == nullptr || folder_.parent->place.device != status.st_dev;
  folder_.fileSystem = mounted ? fileSystemOf(descriptor_.number()) : folder_.parent->fileSystem;
  if (folder_.fileSystem != FileSystem::local) context_.watches.fallBackForFileSystem();
  return true;
}

bool FolderVisit::isLinkLoop() const {
  for (const Folder *above = folder_.parent; above != nullptr; above = above->parent) {
    if (above->place == folder_.place) return true;
  }
  return false;
}

// Returns false for a folder of litter or secrets in a skill, which is then not visited.
bool FolderVisit::mayHoldDocuments(const Folder &child) {
  const std::string_view name = std::string_view(child.path).substr(child.path.rfind('/') + 1);
  const NameKind kind = kindOfName(name);
  if (kind == NameKind::Secret) warn(name, holdsSecret);
  return kind == NameKind::Document;
}

// Returns the path of a link's target relative to the skill's folder; "" if it leads out of the
// skill.
std::string_view FolderVisit::withinSkill(std::string_view real) const {
  if (folder_.owner == nullptr) return {};
  const std::string &skill = folder_.owner->real;
  const bool inside =
      real.size() > skill.size() && real.starts_with(skill) && real[skill.size()] == '/';
  return inside ? real.substr(skill.size() + 1) : std::string_view{};
}

// Separates folders from files and ignores everything else.
void FolderVisit::sortEntries(std::vector<DirectoryEntry> &entries,
                              std::vector<std::unique_ptr<Folder>> &children) {
  for (DirectoryEntry &entry : entries) {
    struct stat status{};
    bool examined = false;
    if (entry.type == DT_UNKNOWN) {
      if (::fstatat(descriptor_.number(), entry.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        continue;
      }
      examined = true;
      entry.type = static_cast<unsigned char>(IFTODT(status.st_mode));
    }
    if (entry.name == ".git") continue;
    if (entry.type == DT_DIR) {
      addChildFolder(entry.name, false, children);
    } else if (entry.type == DT_LNK) {
      followLink(std::move(entry.name), children);
    } else if (entry.type == DT_REG) {
      candidates_.push_back({std::move(entry.name), status, false, examined});
    }
  }
}

void FolderVisit::followLink(std::string &&name, std::vector<std::unique_ptr<Folder>> &children) {
  folder_.isBound = true;
  const Opened target = openIn(*folder_.root, paths::joined(folder_.within(), name), O_PATH);
  struct stat status{};
  if (target.error == EXDEV && folder_.parent == nullptr) {
    outsideLinks_.push_back(std::move(name));
    return;
  }
  if (target.error != 0) {
    if (target.error != EXDEV && paths::namesEntry(name)) {
      brokenEntry_ = std::move(name);
      return;
    }
    const char *const reason = target.error == EXDEV
                                   ? "the symbolic link leads out of the directory"
                                   : std::strerror(target.error);
    return warn(name, std::string("skipped: ") + reason);
  }
  if (::fstat(target.descriptor.number(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) {
    addChildFolder(name, true, children);
  } else if (S_ISREG(status.st_mode)) {
    // The target may be in a folder that is not visited, so it gets a watch of its own.
    context_.watches.visit(target.descriptor.number(), placeOf(status));
    std::string real = realPath(*folder_.root, paths::joined(folder_.within(), name), status);
    if (real.empty()) return; // replaced meanwhile: its watch triggers another look
    candidates_.push_back({std::move(name), status, true, true, std::move(real)});
  }
}

// Handles a link at the top of a directory that leads out of it. In a skill such a link is skipped.
void FolderVisit::followOutside(const std::string &name,
                                std::vector<std::unique_ptr<Folder>> &children) {
  if (folder_.owner != nullptr)
    return warn(name, "skipped: the symbolic link leads out of the directory");
  const Settings &settings = context_.settings;
  const Root &root = *folder_.root;
  beneath::TopLink link = checkTopLink(root, name, settings.linkTargets);
  // The target, or its replacement, appears in a folder that may have no other watch.
  if (!link.target.empty()) watchPath(link.target, context_.watches);
  if (std::any_of(settings.servedElsewhere.begin(), settings.servedElsewhere.end(),
                  [&](const std::string &other) {
                    return other != root.path && beneath::liesIn(link.target, other);
                  }))
    return;
  if (!link.refusal.empty())
    return warn(name, "skipped: the symbolic link leads out of the directory and is not followed, "
                      "because " +
                          link.refusal + ": put a copy in its place, or see follow_links_into");
  Folder *const child = addChildFolder(name, true, children);
  if (child == nullptr) return;
  child->above = child->path.size() + 1;
  std::string canonical = link.target;
  child->followed = std::make_shared<const Root>(
      Root{{paths::joined(root.path, name), std::move(canonical), {}}, std::move(link)});
  child->root = child->followed.get();
}

// A file in no skill is not served. But if git wrote it in place of a link, it was meant to be a
// skill.
void FolderVisit::warnOfLinkTexts() {
  for (const Candidate &candidate : candidates_) {
    if (candidate.linked) continue;
    const std::string target =
        beneath::linkTextIn(paths::joined(folder_.root->path, candidate.name));
    if (!target.empty())
      warn(candidate.name, "skipped: git has written a symbolic link to " +
                               paths::printable(target) +
                               " as a text, because core.symlinks is false: switch that on and "
                               "check it out again, or put a copy in its place");
  }
}

// Adds a child folder to be visited; returns nullptr if it is skipped.
Folder *FolderVisit::addChildFolder(const std::string &name, bool linked,
                                    std::vector<std::unique_ptr<Folder>> &children) {
  if (name.front() == '.' && !context_.settings.hidden) {
    if (!linked && !applies(context_.settings.exclude, paths::joined(folder_.path, name)))
      folder_.hidden.push_back(name);
    return nullptr;
  }
  if (!paths::servable(name)) {
    warn(name, "skipped: the name is not UTF-8 or has control characters or backslashes");
    return nullptr;
  }
  std::string path = paths::joined(folder_.path, name);
  if (applies(context_.settings.exclude, path)) return nullptr;
  auto child = std::make_unique<Folder>();
  child->root = folder_.root;
  child->followed = folder_.followed;
  child->above = folder_.above;
  child->rootIndex = folder_.rootIndex;
  child->path = std::move(path);
  child->parent = &folder_;
  child->linked = linked;
  return children.emplace_back(std::move(child)).get();
}

void FolderVisit::chooseEntry() {
  const bool hasOther = std::any_of(candidates_.begin(), candidates_.end(),
                                    [](const auto &one) { return paths::namesEntry(one.name); });
  // It is listed all the same. The host then cannot read it, and so learns that the skill is not
  // gone but damaged.
  if (!hasOther && !brokenEntry_.empty())
    candidates_.push_back(
        {brokenEntry_, {}, true, true, paths::joined(folder_.real, brokenEntry_)});
  Candidate *chosen = nullptr;
  for (Candidate &candidate : candidates_) {
    if (!paths::namesEntry(candidate.name)) continue;
    // "SKILL.md" takes precedence. Among other names the first in order of bytes wins.
    const bool exact = candidate.name == "SKILL.md";
    if (chosen == nullptr || exact || (chosen->name != "SKILL.md" && candidate.name < chosen->name))
      chosen = &candidate;
  }
  if (chosen == nullptr) return;
  folder_.entry = chosen->name;
  folder_.owner = &folder_;
  // A folder whose entry is not served is no skill to the host, so its files are not listed.
  folder_.listed = isSelected(chosen->name) && examineStatus(*chosen) && isSmallEnough(*chosen);
}

bool FolderVisit::isSelected(const std::string &name) const {
  const Settings &settings = context_.settings;
  if (settings.include.empty() && settings.exclude.empty()) return true;
  const std::string path = paths::joined(folder_.path, name);
  return !applies(settings.exclude, path) &&
         (settings.include.empty() || applies(settings.include, path));
}

// Decides by the name, and for a link also by the name of its target.
bool FolderVisit::isDocument(const Candidate &candidate) {
  NameKind kind = kindOfName(candidate.name);
  if (kind == NameKind::Document && candidate.linked)
    kind = kindOfPath(withinSkill(candidate.real));
  if (kind == NameKind::Secret) warn(candidate.name, holdsSecret);
  return kind == NameKind::Document;
}

bool FolderVisit::examineStatus(Candidate &candidate) const {
  if (candidate.examined) return true;
  candidate.examined = ::fstatat(descriptor_.number(), candidate.name.c_str(), &candidate.status,
                                 AT_SYMLINK_NOFOLLOW) == 0 &&
                       S_ISREG(candidate.status.st_mode);
  return candidate.examined;
}

bool FolderVisit::isSmallEnough(const Candidate &candidate) {
  const std::uint64_t limit = context_.settings.maxFileBytes;
  if (static_cast<std::uint64_t>(candidate.status.st_size) <= limit) return true;
  warn(candidate.name, "skipped: larger than " + std::to_string(limit) + " bytes (max_file_bytes)");
  return false;
}

void FolderVisit::addFile(Candidate &candidate) {
  if (!isSelected(candidate.name) || !isDocument(candidate) || !examineStatus(candidate)) return;
  if (!paths::servable(candidate.name)) {
    return warn(candidate.name,
                "skipped: the name is not UTF-8 or has control characters or backslashes");
  }
  if (!isSmallEnough(candidate)) return;
  countOrThrow(context_.files, context_.settings.maxFiles, "documents");
  FoundFile file{std::move(candidate.name),
                 identityOf(candidate.status),
                 std::nullopt,
                 true,
                 (candidate.status.st_mode & 0111U) != 0,
                 std::move(candidate.real)};
  folder_.holdsLinks = folder_.holdsLinks || !file.real.empty();
  folder_.isBound = folder_.isBound || candidate.status.st_nlink > 1;
  const Clock clock = folder_.fileSystem == FileSystem::remote ? Clock::remote : Clock::local;
  if (mayChangeUnnoticed(file.identity, context_.start, clock)) {
    file.steady = false;
    const Examined examined = examine(*folder_.root, paths::joined(folder_.within(), file.name),
                                      file.identity, context_.checkpoint);
    file.identity = examined.identity;
    file.digest = examined.digest;
  }
  folder_.files.push_back(std::move(file));
}

void FolderVisit::warn(std::string_view name, const std::string &reason) {
  std::string path = folder_.root->path;
  const std::string within = folder_.within();
  for (const std::string_view part : {std::string_view(within), name}) {
    if (!part.empty()) path.append(path.ends_with('/') ? "" : "/").append(part);
  }
  context_.warnings.warnOnce(path, reason);
}

} // namespace skillhost::filesystem
