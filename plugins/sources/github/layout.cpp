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

constexpr std::size_t maxSubmodules = 5; // submodules named in messages

// Returns `path` relative to the folder that contains it.
std::string_view within(std::string_view folder, std::string_view path) {
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
        named_(namedBy(index_, selection, blobs, laid_.findings)) {}

  LayoutResult run() {
    chooseEntries();
    dropLitter();
    assign();
    for (const auto &[folder, candidate] : candidates_) lay(folder, candidate);
    std::sort(laid_.skills.begin(), laid_.skills.end(),
              [](const StoredSkill &a, const StoredSkill &b) { return a.id < b.id; });
    laid_.marketplace = std::move(named_.marketplace);
    if (laid_.marketplace.empty()) {
      noteHidden();
      if (laid_.skills.empty()) noteSubmodules();
    }
    return std::move(laid_);
  }

private:
  // A folder is open if no name in it starts with ".", or if a manifest opens it.
  bool isOpen(const std::string &folder) const {
    if (selection_.hidden || !hasHidden(folder)) return true;
    return std::any_of(
        named_.folders.begin(), named_.folders.end(), [&](const std::string &opened) {
          return isWithin(folder, opened) &&
                 !hasHidden(std::string_view(folder).substr(
                     std::min(folder.size(), opened.empty() ? 0 : opened.size() + 1)));
        });
  }

  // Calls the checkpoint only now and then, because reading the clock costs more than a small file.
  void pause() {
    if (++steps_ % 256 == 0) checkpoint_();
  }

  void chooseEntries() {
    for (const TreeEntry &entry : entries_) {
      pause();
      const bool fits = entry.kind != EntryKind::badName && entry.kind != EntryKind::submodule;
      if (!fits || !paths::namesEntry(entry.name) || !isOpen(entry.folder)) continue;
      const TreeEntry *&chosen = candidates_[entry.folder].entry;
      // "SKILL.md" takes precedence. Among other names the first in order of bytes wins.
      const bool isExact = entry.name == "SKILL.md";
      if (chosen == nullptr || isExact || (chosen->name != "SKILL.md" && entry.name < chosen->name))
        chosen = &entry;
    }
  }

  // Drops candidates inside litter of another skill, such as its node_modules.
  void dropLitter() {
    for (auto at = candidates_.begin(); at != candidates_.end();) {
      const std::string &folder = at->first;
      const std::size_t slash = folder.rfind('/');
      const auto owner = folder.empty()
                             ? candidates_.end()
                             : nearest(folder.substr(0, slash == folder.npos ? 0 : slash));
      const bool isLitter = owner != candidates_.end() &&
                            kindOfPath(within(owner->first, folder)) != NameKind::Document;
      at = isLitter ? candidates_.erase(at) : std::next(at);
    }
  }

  // Assigns each file to the nearest skill at or above it.
  void assign() {
    for (const TreeEntry &entry : entries_) {
      pause();
      if (!isOpen(entry.folder)) continue;
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

  // True if a link leads to a file of another skill inside this one. A client that may see one
  // skill need not be allowed to see the other. An entry may link to the other's entry, because
  // that file describes both.
  bool isOthers(const TreeEntry &target, const TreeEntry &from, const std::string &folder,
                const Candidate &candidate) {
    if (&target == &from) return false;
    const auto owner = nearest(target.folder);
    return owner != candidates_.end() && owner->first != folder &&
           (&from != candidate.entry || &target != owner->second.entry);
  }

  bool isWanted(const std::string &within) const {
    const std::string path = paths::joined(selection_.prefix, within);
    return !applies(selection_.exclude, path) &&
           (selection_.include.empty() || applies(selection_.include, path));
  }

  bool isPointer(const std::string &blob, std::uint64_t size) {
    return size >= shortestLfsPointer && size <= longestLfsPointer &&
           isLfsPointer(blobs_.content(blob));
  }

  // Decides by the name, and for a link also by the name of its target.
  bool isDocument(const std::string &folder, const std::string &place, const TreeEntry &entry) {
    NameKind kind = kindOfPath(within(folder, place));
    if (kind == NameKind::Document && entry.kind == EntryKind::link)
      if (const TreeEntry *const target = index_.follow(entry, folder).entry; target != nullptr)
        kind = kindOfPath(within(folder, paths::joined(target->folder, target->name)));
    if (kind == NameKind::Secret)
      note(place, "left out: by its name it holds a secret; take it out of the repository, and "
                  "revoke what it holds");
    return kind == NameKind::Document;
  }

  void lay(const std::string &folder, const Candidate &candidate) {
    if (!isWanted(paths::joined(folder, candidate.entry->name))) return;
    StoredSkill skill{idOf(folder), {}, 0};
    std::uint64_t bytes = 0;
    for (const TreeEntry *entry : candidate.files) {
      pause();
      const std::string place = paths::joined(entry->folder, entry->name);
      if (!isWanted(place) || !isDocument(folder, place, *entry)) continue;
      if (entry->kind == EntryKind::badName)
        return note(place, "has a name that cannot be served, and its skill is left out");
      if (entry->kind == EntryKind::submodule) {
        note(place, "is a submodule, and left out");
        continue;
      }
      Target target = index_.follow(*entry, folder);
      if (target.entry != nullptr && isOthers(*target.entry, *entry, folder, candidate))
        target = {nullptr, "the symbolic link leads into another skill"};
      std::string blob = target.entry == nullptr ? std::string{} : target.entry->blob;
      std::uint64_t size = target.entry == nullptr ? 0 : blobs_.size(blob);
      if (target.entry != nullptr && entry != candidate.entry && isPointer(blob, size)) {
        laid_.lfsPointers.insert(blob);
        blob = blobs_.fileOf(blob);
        if (blob.empty()) {
          note(place, "left out: it is a pointer of Git LFS, and the file itself is not in the "
                      "repository");
          continue;
        }
        size = blobs_.size(blob);
      }
      const bool isLarge = size > limits_.maxFileBytes;
      if (target.entry == nullptr || isLarge) {
        note(place, isLarge ? "left out: larger than " + std::to_string(limits_.maxFileBytes) +
                                  " bytes (max_file_bytes)"
                            : std::string("left out: ") + target.reason);
        if (entry == candidate.entry) return;
        continue;
      }
      bytes += size;
      if (skill.documents.size() == limits_.maxSkillFiles)
        return note(folder, "left out: holds more than " + std::to_string(limits_.maxSkillFiles) +
                                " files (max_skill_files)");
      if (bytes > limits_.maxSkillBytes)
        return note(folder, "left out: holds more than " + std::to_string(limits_.maxSkillBytes) +
                                " bytes (max_skill_bytes)");
      std::uint32_t flags = 0;
      if (entry == candidate.entry) flags |= SKH_DOC_ENTRY;
      if (target.entry->kind == EntryKind::executable) flags |= SKH_DOC_EXECUTABLE;
      skill.documents.push_back({std::string(within(folder, place)), std::move(blob),
                                 paths::joined(selection_.subpath, place), size, flags});
    }
    finish(folder, std::move(skill));
  }

  void finish(const std::string &folder, StoredSkill &&skill) {
    std::vector<std::string> names;
    names.reserve(skill.documents.size());
    for (const StoredDocument &document : skill.documents) names.push_back(document.path);
    if (const std::string twin = paths::firstCollision(names); !twin.empty())
      return note(paths::joined(folder, twin),
                  "differs from another file only in case or Unicode form, and its skill is "
                  "left out");
    std::sort(skill.documents.begin(), skill.documents.end(),
              [](const StoredDocument &a, const StoredDocument &b) { return a.path < b.path; });
    laid_.skills.push_back(std::move(skill));
  }

  // Reports skills below hidden folders, because otherwise an operator would not know why they are
  // missing.
  void noteHidden() {
    std::set<std::string> hidden; // folders of these skills
    for (const TreeEntry &entry : entries_) {
      pause();
      if (entry.kind != EntryKind::badName && entry.kind != EntryKind::submodule &&
          paths::namesEntry(entry.name) && !isOpen(entry.folder) &&
          kindOfPath(entry.folder) != NameKind::Litter &&
          isWanted(paths::joined(entry.folder, entry.name)))
        hidden.insert(entry.folder);
    }
    if (!hidden.empty())
      note(*hidden.begin(),
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
    if (submodules.size() > maxSubmodules) submodules.resize(maxSubmodules);
    for (const std::string &one : submodules) {
      const std::string url = submoduleUrl(index_, blobs_, one);
      note(one, "is a submodule, and left out: to serve its skills, add its own repository" +
                    (url.empty() ? "" : ", " + paths::printable(withoutUser(url))));
    }
  }

  // The id of a skill at the top is the name of the repository or subpath, and the ids of skills
  // below it begin with that name.
  std::string idOf(const std::string &folder) const {
    if (!selection_.prefix.empty())
      return folder.empty() ? selection_.prefix : paths::joined(selection_.prefix, folder);
    const bool topIsSkill = candidates_.contains("");
    if (!topIsSkill) return folder;
    return folder.empty() ? selection_.rootName : paths::joined(selection_.rootName, folder);
  }

  void note(const std::string &path, std::string reason) {
    laid_.findings.push_back({paths::joined(selection_.prefix, path), std::move(reason)});
  }

  const std::vector<TreeEntry> &entries_;
  const Selection &selection_;
  const Limits &limits_;
  Blobs &blobs_;
  const std::function<void()> &checkpoint_;
  std::size_t steps_ = 0;
  LayoutResult laid_;
  FileIndex index_;
  Named named_;
  std::map<std::string, Candidate> candidates_; // by folder
};

} // namespace

LayoutResult layOut(const std::vector<TreeEntry> &entries, const Selection &selection,
                    const Limits &limits, Blobs &blobs, const std::function<void()> &checkpoint) {
  return Layout(entries, selection, limits, blobs, checkpoint).run();
}

} // namespace skillhost::github
