// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include "file_index.hpp"
#include "ground/document_names.hpp"
#include "paths/collisions.hpp"
#include "plugin_manifests.hpp"
#include "submodules.hpp"

#include "ground/counted.hpp"
#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace skillhost::github {
namespace {

bool hasHidden(std::string_view path) {
  return path.starts_with('.') || path.find("/.") != path.npos;
}

constexpr std::size_t maxReportedSubmodules = 5; // submodules named in messages

// Returns `path` relative to `folder`, which contains it at any depth.
std::string_view relativeTo(std::string_view folder, std::string_view path) {
  return path.substr(folder.empty() ? 0 : folder.size() + 1);
}

struct Candidate {
  const TreeEntry *entry = nullptr;     // its SKILL.md
  std::vector<const TreeEntry *> files; // all files that belong to it, including the entry
};

class Layout {
public:
  Layout(const std::vector<TreeEntry> &entries, const Selection &selection, const Limits &limits,
         Blobs &blobs, const std::function<void()> &checkpoint)
      : entries_(entries), selection_(selection), limits_(limits), blobs_(blobs),
        checkpoint_(checkpoint), index_(entries, blobs),
        pluginFolders_(namedBy(index_, selection, blobs, result_.findings)) {}

  LayoutResult run() {
    chooseEntries();
    dropLitter();
    assignFiles();
    for (const auto &[folder, candidate] : candidates_) addSkill(folder, candidate);
    std::sort(result_.skills.begin(), result_.skills.end(),
              [](const StoredSkill &a, const StoredSkill &b) { return a.id < b.id; });
    result_.marketplace = std::move(pluginFolders_.marketplace);
    if (result_.marketplace.empty()) {
      noteHidden();
      if (result_.skills.empty()) noteSubmodules();
    }
    return std::move(result_);
  }

private:
  // Returns true if skills in `folder` count: no name in its path starts with ".", the source has
  // `hidden: true`, or a plugin manifest names the folder or one above it.
  bool isSearched(const std::string &folder) const {
    if (selection_.hidden || !hasHidden(folder)) return true;
    return std::any_of(pluginFolders_.folders.begin(), pluginFolders_.folders.end(),
                       [&](const std::string &opened) {
                         return isWithin(folder, opened) &&
                                !hasHidden(std::string_view(folder).substr(std::min(
                                    folder.size(), opened.empty() ? 0 : opened.size() + 1)));
                       });
  }

  // Calls the checkpoint only now and then, because reading the clock costs more than a small file.
  void checkpointNowAndThen() {
    if (++steps_ % 256 == 0) checkpoint_();
  }

  void chooseEntries() {
    for (const TreeEntry &entry : entries_) {
      checkpointNowAndThen();
      const bool canBeEntry =
          entry.kind != EntryKind::badName && entry.kind != EntryKind::submodule;
      if (!canBeEntry || !paths::namesEntry(entry.name) || !isSearched(entry.folder)) continue;
      const TreeEntry *&chosen = candidates_[entry.folder].entry;
      // "SKILL.md" takes precedence. Among other names the first in order of bytes wins.
      const bool isExact = entry.name == "SKILL.md";
      if (chosen == nullptr || isExact || (chosen->name != "SKILL.md" && entry.name < chosen->name))
        chosen = &entry;
    }
  }

  // Drops skills in folders of another skill that hold no documents, such as node_modules.
  void dropLitter() {
    for (auto candidate = candidates_.begin(); candidate != candidates_.end();) {
      const std::string &folder = candidate->first;
      const std::size_t slash = folder.rfind('/');
      const auto owner = folder.empty()
                             ? candidates_.end()
                             : nearest(folder.substr(0, slash == folder.npos ? 0 : slash));
      const bool isLitter = owner != candidates_.end() &&
                            kindOfPath(relativeTo(owner->first, folder)) != NameKind::Document;
      candidate = isLitter ? candidates_.erase(candidate) : std::next(candidate);
    }
  }

  // Assigns each file to the nearest skill at or above it.
  void assignFiles() {
    for (const TreeEntry &entry : entries_) {
      checkpointNowAndThen();
      if (!isSearched(entry.folder)) continue;
      if (const auto found = nearest(entry.folder); found != candidates_.end())
        found->second.files.push_back(&entry);
    }
  }

  std::map<std::string, Candidate>::iterator nearest(std::string folder) {
    for (;;) {
      const auto found = candidates_.find(folder);
      if (found != candidates_.end() || folder.empty()) return found;
      const std::size_t slash = folder.rfind('/');
      folder.resize(slash == folder.npos ? 0 : slash);
    }
  }

  // Returns true if the link `from` leads to a file of a skill that is nested in this one. That
  // file must not be served here, because a client may be allowed to see one skill and not the
  // other. Exception: a SKILL.md may link to the nested skill's SKILL.md, which then describes
  // both.
  bool belongsToNestedSkill(const TreeEntry &target, const TreeEntry &from,
                            const std::string &folder, const Candidate &candidate) {
    if (&target == &from) return false;
    const auto owner = nearest(target.folder);
    return owner != candidates_.end() && owner->first != folder &&
           (&from != candidate.entry || &target != owner->second.entry);
  }

  bool isWanted(const std::string &pathInTree) const {
    const std::string path = paths::joined(selection_.prefix, pathInTree);
    return !applies(selection_.exclude, path) &&
           (selection_.include.empty() || applies(selection_.include, path));
  }

  bool isLfsPointerBlob(const std::string &blob, std::uint64_t size) {
    return size >= minLfsPointerBytes && size <= maxLfsPointerBytes &&
           isLfsPointer(blobs_.content(blob));
  }

  // Returns true if the name of the file, and of a link's target, is that of a document. Reports a
  // file that looks like a secret.
  bool isDocument(const std::string &folder, const std::string &path, const TreeEntry &entry) {
    NameKind kind = kindOfPath(relativeTo(folder, path));
    if (kind == NameKind::Document && entry.kind == EntryKind::link)
      if (const TreeEntry *const target = index_.follow(entry, folder).entry; target != nullptr)
        kind = kindOfPath(relativeTo(folder, paths::joined(target->folder, target->name)));
    if (kind == NameKind::Secret)
      addFinding(path,
                 "left out: by its name it holds a secret; take it out of the repository, and "
                 "revoke what it holds");
    return kind == NameKind::Document;
  }

  void addSkill(const std::string &folder, const Candidate &candidate) {
    if (!isWanted(paths::joined(folder, candidate.entry->name))) return;
    StoredSkill skill{idOf(folder), {}, 0};
    std::uint64_t bytes = 0;
    for (const TreeEntry *entry : candidate.files) {
      checkpointNowAndThen();
      const std::string path = paths::joined(entry->folder, entry->name);
      if (!isWanted(path) || !isDocument(folder, path, *entry)) continue;
      if (entry->kind == EntryKind::badName)
        return addFinding(path, "has a name that cannot be served, and its skill is left out");
      if (entry->kind == EntryKind::submodule) {
        addFinding(path, "is a submodule, and left out");
        continue;
      }
      Target target = index_.follow(*entry, folder);
      if (target.entry != nullptr && belongsToNestedSkill(*target.entry, *entry, folder, candidate))
        target = {nullptr, "the symbolic link leads into another skill"};
      std::string blob = target.entry == nullptr ? std::string{} : target.entry->blob;
      std::uint64_t size = target.entry == nullptr ? 0 : blobs_.size(blob);
      if (target.entry != nullptr && entry != candidate.entry && isLfsPointerBlob(blob, size)) {
        result_.lfsPointers.insert(blob);
        blob = blobs_.fileOf(blob);
        if (blob.empty()) {
          addFinding(path,
                     "left out: it is a pointer of Git LFS, and the file itself is not in the "
                     "repository");
          continue;
        }
        size = blobs_.size(blob);
      }
      const bool isLarge = size > limits_.maxFileBytes;
      if (target.entry == nullptr || isLarge) {
        addFinding(path, isLarge ? "left out: larger than " + std::to_string(limits_.maxFileBytes) +
                                       " bytes (max_file_bytes)"
                                 : std::string("left out: ") + target.reason);
        if (entry == candidate.entry) return;
        continue;
      }
      bytes += size;
      if (skill.documents.size() == limits_.maxSkillFiles)
        return addFinding(folder, "left out: holds more than " +
                                      std::to_string(limits_.maxSkillFiles) +
                                      " files (max_skill_files)");
      if (bytes > limits_.maxSkillBytes)
        return addFinding(folder, "left out: holds more than " +
                                      std::to_string(limits_.maxSkillBytes) +
                                      " bytes (max_skill_bytes)");
      std::uint32_t flags = 0;
      if (entry == candidate.entry) flags |= SKH_DOC_ENTRY;
      if (target.entry->kind == EntryKind::executable) flags |= SKH_DOC_EXECUTABLE;
      skill.documents.push_back({std::string(relativeTo(folder, path)), std::move(blob),
                                 paths::joined(selection_.subpath, path), size, flags});
    }
    addIfUnambiguous(folder, std::move(skill));
  }

  void addIfUnambiguous(const std::string &folder, StoredSkill &&skill) {
    std::vector<std::string> names;
    names.reserve(skill.documents.size());
    for (const StoredDocument &document : skill.documents) names.push_back(document.path);
    if (const std::string collidingName = paths::firstCollision(names); !collidingName.empty())
      return addFinding(paths::joined(folder, collidingName),
                        "differs from another file only in case or Unicode form, and its skill is "
                        "left out");
    std::sort(skill.documents.begin(), skill.documents.end(),
              [](const StoredDocument &a, const StoredDocument &b) { return a.path < b.path; });
    result_.skills.push_back(std::move(skill));
  }

  // Reports skills below hidden folders, because otherwise an operator would not know why they are
  // missing.
  void noteHidden() {
    std::set<std::string> hidden; // folders of these skills
    for (const TreeEntry &entry : entries_) {
      checkpointNowAndThen();
      if (entry.kind != EntryKind::badName && entry.kind != EntryKind::submodule &&
          paths::namesEntry(entry.name) && !isSearched(entry.folder) &&
          kindOfPath(entry.folder) != NameKind::Litter &&
          isWanted(paths::joined(entry.folder, entry.name)))
        hidden.insert(entry.folder);
    }
    if (!hidden.empty())
      addFinding(*hidden.begin(),
                 counted(hidden.size(), "skill") + (hidden.size() == 1 ? " is" : " are") +
                     " passed over below folders whose names begin with a dot: look into them with "
                     "hidden: true, or name one of them as subpath");
  }

  // Reports submodules if a repository has no skills, because they may be there.
  void noteSubmodules() {
    std::vector<std::string> submodules;
    for (const TreeEntry &entry : entries_)
      if (entry.kind == EntryKind::submodule)
        submodules.push_back(paths::joined(entry.folder, entry.name));
    if (submodules.size() > maxReportedSubmodules) submodules.resize(maxReportedSubmodules);
    for (const std::string &submodule : submodules) {
      const std::string url = submoduleUrl(index_, blobs_, submodule);
      addFinding(submodule,
                 "is a submodule, and left out: to serve its skills, add its own repository" +
                     (url.empty() ? "" : ", " + paths::printable(withoutUser(url))));
    }
  }

  // Returns the id of the skill in `folder`, which is its path in the repository. If there is a
  // skill at the top, all ids begin with `rootName`, because the top has no path. Ids of a
  // marketplace plugin begin with its prefix.
  std::string idOf(const std::string &folder) const {
    if (!selection_.prefix.empty())
      return folder.empty() ? selection_.prefix : paths::joined(selection_.prefix, folder);
    const bool topIsSkill = candidates_.contains("");
    if (!topIsSkill) return folder;
    return folder.empty() ? selection_.rootName : paths::joined(selection_.rootName, folder);
  }

  void addFinding(const std::string &path, std::string reason) {
    result_.findings.push_back({paths::joined(selection_.prefix, path), std::move(reason)});
  }

  const std::vector<TreeEntry> &entries_;
  const Selection &selection_;
  const Limits &limits_;
  Blobs &blobs_;
  const std::function<void()> &checkpoint_;
  std::size_t steps_ = 0;
  LayoutResult result_;
  FileIndex index_;
  Named pluginFolders_;
  std::map<std::string, Candidate> candidates_; // by folder
};

} // namespace

LayoutResult layOut(const std::vector<TreeEntry> &entries, const Selection &selection,
                    const Limits &limits, Blobs &blobs, const std::function<void()> &checkpoint) {
  return Layout(entries, selection, limits, blobs, checkpoint).run();
}

} // namespace skillhost::github
