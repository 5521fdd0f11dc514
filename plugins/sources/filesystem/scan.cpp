// SPDX-License-Identifier: Apache-2.0
#include "scan.hpp"

#include "beneath/hidden_skills.hpp"
#include "file_content.hpp"
#include "foreign_files.hpp"
#include "paths/names.hpp"
#include "walk.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace skillhost::filesystem {
namespace {

using Folders = std::vector<std::unique_ptr<Folder>>;

// Returns the first segments of the ids for each root; empty if the folders alone form the id.
std::vector<std::string> idPrefixes(const Settings &settings, const Folders &folders) {
  std::vector<std::string> prefixes(settings.directories.size());
  const bool several = prefixes.size() > 1;
  for (std::size_t i = 0; i < prefixes.size(); ++i) {
    if (several) prefixes[i] = settings.directories[i].name;
  }
  for (const std::unique_ptr<Folder> &folder : folders) {
    if (folder->parent != nullptr || folder->entry.empty()) continue;
    prefixes[folder->rootIndex] = settings.directories[folder->rootIndex].name;
  }
  return prefixes;
}

std::string idOf(const std::string &prefix, const std::string &folder) {
  return folder.empty() ? prefix : paths::joined(prefix, folder);
}

// Returns the path of a file within the skill of the folder's owner.
std::string pathWithin(const Folder &folder, const std::string &name) {
  const std::size_t above = folder.owner->path.size();
  if (folder.path.size() == above) return name;
  return paths::joined(std::string_view(folder.path).substr(above == 0 ? 0 : above + 1), name);
}

void addDocuments(const Folder &folder, StoredSkill &skill) {
  for (const FoundFile &file : folder.files) {
    StoredDocument document;
    document.path = pathWithin(folder, file.name);
    document.identity = file.identity;
    document.digest = file.digest;
    document.steady = file.steady;
    if (folder.owner == &folder && file.name == folder.entry) document.flags |= SKH_DOC_ENTRY;
    if (file.executable) document.flags |= SKH_DOC_EXECUTABLE;
    skill.documents.push_back(std::move(document));
  }
}

// True if the folder has an entry and lies in another skill.
bool isNested(const Folder &folder) noexcept {
  return !folder.entry.empty() && folder.parent != nullptr && folder.parent->owner != nullptr;
}

// A folder may be met twice, for example through two directories. Then its place does not identify
// the skills in it.
bool isSomeFolderMetTwice(const Folders &folders) {
  std::vector<Place> places;
  for (const std::unique_ptr<Folder> &folder : folders)
    if (folder->owner != nullptr && folder->owner->listed) places.push_back(folder->place);
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

// Clears the places of skills that also depend on something outside their folders: the target of a
// link, a skill within or around it, or the name of a directory that is itself a skill.
void forgetPlaces(const Folders &folders, std::vector<StoredSkill> &skills) {
  const auto forget = [&](const Folder &owner) {
    if (owner.listed) skills[owner.skill].places.clear();
  };
  if (std::any_of(folders.begin(), folders.end(), [](const auto &one) { return one->isBound; }) ||
      isSomeFolderMetTwice(folders))
    for (StoredSkill &skill : skills) skill.places.clear();
  for (const std::unique_ptr<Folder> &folder : folders) {
    if (folder->parent == nullptr) forget(*folder);
    if (!isNested(*folder)) continue;
    forget(*folder);
    for (const Folder *above = folder->parent->owner; above != nullptr;
         above = above->parent != nullptr ? above->parent->owner : nullptr)
      forget(*above);
  }
  for (StoredSkill &skill : skills) {
    std::sort(skill.places.begin(), skill.places.end()); // the walk has no fixed order
    skill.places.shrink_to_fit();
  }
}

std::vector<StoredSkill> collect(const Settings &settings, const Snapshot &snapshot,
                                 Folders &folders) {
  const std::vector<std::string> prefixes = idPrefixes(settings, folders);
  std::vector<StoredSkill> skills;
  for (const std::unique_ptr<Folder> &folder : folders) {
    if (!folder->listed) continue;
    folder->skill = skills.size();
    StoredSkill skill;
    skill.id = idOf(prefixes[folder->rootIndex], folder->path);
    skill.folder = folder->within();
    skill.root = folder->followed ? folder->followed : snapshot.roots[folder->rootIndex];
    skills.push_back(std::move(skill));
  }
  for (const std::unique_ptr<Folder> &folder : folders) {
    if (folder->owner == nullptr || !folder->owner->listed) continue;
    StoredSkill &skill = skills[folder->owner->skill];
    skill.places.push_back(folder->place);
    addDocuments(*folder, skill);
  }
  forgetPlaces(folders, skills);
  std::sort(skills.begin(), skills.end(),
            [](const StoredSkill &a, const StoredSkill &b) { return a.id < b.id; });
  for (StoredSkill &skill : skills) {
    std::sort(skill.documents.begin(), skill.documents.end(),
              [](const StoredDocument &a, const StoredDocument &b) { return a.path < b.path; });
  }
  return skills;
}

// Reports skills below hidden folders, because otherwise an operator would not know why they are
// missing.
void warnOfHiddenSkills(const Settings &settings, const Folders &folders, Warnings &warnings) {
  std::vector<std::vector<std::string>> hidden(settings.directories.size());
  for (const std::unique_ptr<Folder> &folder : folders)
    for (const std::string &name : folder->hidden)
      hidden[folder->rootIndex].push_back(paths::joined(folder->path, name));
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    std::sort(hidden[i].begin(), hidden[i].end()); // the walk has no fixed order
    const std::string &directory = settings.directories[i].path;
    if (!warnings.hasHiddenChanged(directory, hidden[i])) continue;
    beneath::HiddenSkills skills;
    for (const std::string &path : hidden[i])
      skills.search(paths::joined(directory, path), paths::printable(path));
    // Uses a separate name, because trouble with the directory itself is another matter.
    const std::string place = directory + "/.*";
    warnings.clearWarning(place);
    if (skills.count() != 0)
      warnings.warnOnce(place, skills.words() +
                                   ": look into them with \"hidden: true\" (--hidden for "
                                   "--skills-dir), or name such a folder itself");
  }
}

// An operator who misses a skill finds its folder in a DEBUG log. A plugin may log only a few lines
// per second, so the last line counts the rest.
void noteFoldersWithoutSkill(const Folders &folders, Warnings &warnings) {
  constexpr std::size_t maxNamed = 20;
  std::vector<std::string> paths;
  for (const std::unique_ptr<Folder> &folder : folders)
    if (folder->owner == nullptr && folder->parent != nullptr && !folder->real.empty())
      paths.push_back(paths::joined(folder->root->path, folder->within()));
  std::sort(paths.begin(), paths.end()); // the walk has no fixed order
  for (std::size_t i = 0; i < std::min(paths.size(), maxNamed); ++i)
    warnings.warnOnce(paths[i], "the folder has no SKILL.md, so it is not a skill", SKH_DEBUG);
  if (paths.size() > maxNamed)
    warnings.warnOnce(folders.front()->root->path,
                      std::to_string(paths.size() - maxNamed) +
                          " more folders have no SKILL.md, so they are not skills",
                      SKH_DEBUG);
}

// A digest stays in the revision while the file is unchanged, so that the revision stays the same.
// When the file is first found quiet, its bytes are read again; from then on they are certain.
void reuseDocument(const StoredSkill &skill, StoredDocument &document, const StoredDocument &before,
                   const Checkpoint &checkpoint) {
  if (!before.digest || !(before.identity == document.identity)) return;
  if (before.steady) {
    document.digest = before.digest;
    document.steady = true;
  } else if (document.steady && !document.digest) {
    const std::string path = paths::joined(skill.folder, document.path);
    const Examined seen = examine(*skill.root, path, document.identity, checkpoint);
    if (seen.digest && seen.identity == document.identity) document.digest = seen.digest;
  }
}

// The file itself is elsewhere, and its pointer is no document.
bool isLfsPointerOf(const StoredSkill &skill, const StoredDocument &document, Warnings &warnings) {
  const std::string path = paths::joined(skill.folder, document.path);
  if ((document.flags & SKH_DOC_ENTRY) != 0 ||
      !holdsLfsPointer(*skill.root, path, document.identity.size))
    return false;
  warnings.warnOnce(
      paths::joined(skill.root->path, path),
      "left out: it is a pointer of Git LFS, and the file itself is not here; fetch it "
      "with git lfs pull");
  return true;
}

// Completes what was found as `skill`; returns the previous skill if nothing changed.
std::shared_ptr<const StoredSkill> complete(StoredSkill &&skill, const Snapshot &before,
                                            const std::shared_ptr<const StoredSkill> &known,
                                            Warnings &warnings, const Checkpoint &checkpoint) {
  checkpoint();
  std::erase_if(skill.documents, [&](StoredDocument &document) {
    const FoundDocument was = before.find(skill.id, document.path);
    if (was.document != nullptr) reuseDocument(skill, document, *was.document, checkpoint);
    document.revision = Revision(document.identity, document.digest, document.steady);
    const bool isKnown = was.document != nullptr && was.document->revision == document.revision;
    return !isKnown && isLfsPointerOf(skill, document, warnings);
  });
  skill.documents.shrink_to_fit();
  if (known && *known == skill) return known;
  return std::make_shared<const StoredSkill>(std::move(skill));
}

// The folders above the visited ones. Each is entered once.
class Above {
public:
  Above(ScanContext &context, const Snapshot &snapshot) : context_(context), snapshot_(snapshot) {}

  // Returns the folder of a skill to be visited; nullptr if a folder above it cannot be entered.
  Folder *add(const StoredSkill &skill) {
    const auto root = std::find(snapshot_.roots.begin(), snapshot_.roots.end(), skill.root);
    if (root == snapshot_.roots.end()) return nullptr;
    const auto index = static_cast<std::size_t>(root - snapshot_.roots.begin());
    const Folder *parent = enter(index, {}, nullptr);
    for (std::size_t slash = skill.folder.find('/'); parent != nullptr;
         slash = skill.folder.find('/', slash + 1)) {
      if (slash == std::string::npos) return &make(index, skill.folder, parent);
      parent = enter(index, skill.folder.substr(0, slash), parent);
    }
    return nullptr;
  }
  Folders take() { return std::move(folders_); }

private:
  Folder &make(std::size_t index, const std::string &path, const Folder *parent) {
    auto folder = std::make_unique<Folder>();
    folder->root = snapshot_.roots[index].get();
    folder->rootIndex = index;
    folder->path = path;
    folder->parent = parent;
    return *folders_.emplace_back(std::move(folder));
  }
  const Folder *enter(std::size_t index, const std::string &path, const Folder *parent) {
    const auto [known, isNew] = entered_.try_emplace({index, path}, nullptr);
    if (!isNew) return known->second;
    Folder &folder = make(index, path, parent);
    if (FolderVisit(context_, folder).openFolder()) known->second = &folder;
    return known->second;
  }

  ScanContext &context_;
  const Snapshot &snapshot_;
  Folders folders_;
  std::map<std::pair<std::size_t, std::string>, const Folder *> entered_;
};

// Returns the indices of the skills in these folders; nothing if some folders are in no skill.
std::optional<std::vector<std::size_t>> skillsAt(const StoredSkills &skills,
                                                 const std::set<Place> &places) {
  std::vector<std::size_t> found;
  std::set<Place> met;
  for (std::size_t i = 0; i < skills.size(); ++i) {
    bool isOne = false;
    for (const Place &place : skills[i]->places)
      if (places.contains(place)) {
        met.insert(place);
        isOne = true;
      }
    if (isOne) found.push_back(i);
  }
  if (met.size() != places.size()) return std::nullopt;
  return found;
}

} // namespace

SnapshotPointer scanPart(const Settings &settings, const SnapshotPointer &previous,
                         const std::set<Place> &places, Watches &watches, Warnings &warnings,
                         const Checkpoint &checkpoint) {
  if (places.empty()) return previous;
  const Snapshot &before = *previous;
  const std::optional<std::vector<std::size_t>> changed = skillsAt(before.skills, places);
  if (!changed) return nullptr;
  ScanContext context{settings, watches, warnings, checkpoint, wallClock()};
  context.folders = before.folders;
  context.files = before.files;
  Above above(context, before);
  std::vector<Folder *> first;
  for (const std::size_t i : *changed) {
    context.folders -= before.skills[i]->places.size();
    context.files -= before.skills[i]->documents.size();
    first.push_back(above.add(*before.skills[i]));
    if (first.back() == nullptr) return nullptr;
  }
  const std::vector<Folder *> tops = first;
  Folders folders = Walk(context).run(above.take(), std::move(first));
  watches.endPart();
  const auto isListed = [](const Folder *folder) { return folder->listed; };
  const auto isAlone = [](const auto &folder) { return !folder->isBound && !isNested(*folder); };
  if (!std::all_of(tops.begin(), tops.end(), isListed) ||
      !std::all_of(folders.begin(), folders.end(), isAlone))
    return nullptr;
  auto snapshot = std::make_shared<Snapshot>(before);
  std::vector<StoredSkill> skills = collect(settings, *snapshot, folders);
  for (std::size_t i = 0; i < skills.size(); ++i) {
    std::shared_ptr<const StoredSkill> &known = snapshot->skills[changed->at(i)];
    if (known->id != skills[i].id) return nullptr;
    known = complete(std::move(skills[i]), before, known, warnings, checkpoint);
  }
  snapshot->folders = context.folders;
  snapshot->files = context.files;
  snapshot->id = identify(snapshot->skills);
  return snapshot;
}

SnapshotPointer scan(const Settings &settings, const Snapshot *previous, Watches &watches,
                     Warnings &warnings, const Checkpoint &checkpoint, const FolderProgress &seen) {
  static const Snapshot nothing;
  const Snapshot &before = previous != nullptr ? *previous : nothing;
  auto snapshot = std::make_shared<Snapshot>();
  ScanContext context{settings, watches, warnings, checkpoint, wallClock()};
  watches.beginScan();
  for (std::size_t i = 0; i < settings.directories.size(); ++i) {
    checkpoint();
    const std::shared_ptr<const Root> old = i < before.roots.size() ? before.roots[i] : nullptr;
    const MissingDirectory missing =
        settings.optional ? MissingDirectory::Accept : MissingDirectory::Fail;
    snapshot->roots.push_back(
        openRoot(settings.directories[i], old, missing, watches, warnings, snapshot->trouble));
  }
  const auto isOpen = [](const auto &root) { return root != nullptr; };
  if (std::any_of(snapshot->roots.begin(), snapshot->roots.end(), isOpen)) snapshot->trouble = {};
  Folders folders = Walk(context, seen).run(snapshot->roots);
  watches.endScan();
  dropForeignFiles(folders, warnings);
  warnOfHiddenSkills(settings, folders, warnings);
  noteFoldersWithoutSkill(folders, warnings);
  const StoredSkills &known = before.skills;
  auto next = known.begin();
  for (StoredSkill &skill : collect(settings, *snapshot, folders)) {
    while (next != known.end() && (*next)->id < skill.id) ++next;
    snapshot->skills.push_back(complete(
        std::move(skill), before, next != known.end() ? *next : nullptr, warnings, checkpoint));
  }
  snapshot->folders = context.folders;
  snapshot->files = context.files;
  snapshot->id = identify(snapshot->skills);
  return snapshot;
}

} // namespace skillhost::filesystem
