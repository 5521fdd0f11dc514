// SPDX-License-Identifier: Apache-2.0
#include "scan.hpp"

#include "file_content.hpp"
#include "foreign_files.hpp"
#include "paths/names.hpp"
#include "walk.hpp"

#include <algorithm>

namespace skillhost::filesystem {
namespace {

using Folders = std::vector<std::unique_ptr<Folder>>;

// The first segments of the ids of a root's skills; empty where the folders alone make the id.
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

// What a file is called within the skill of the folder's owner.
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

std::vector<StoredSkill> collect(const Settings &settings, const Snapshot &snapshot,
                                 Folders &folders) {
  const std::vector<std::string> prefixes = idPrefixes(settings, folders);
  std::vector<StoredSkill> skills;
  for (const std::unique_ptr<Folder> &folder : folders) {
    if (!folder->listed) continue;
    folder->skill = skills.size();
    StoredSkill skill;
    skill.id = idOf(prefixes[folder->rootIndex], folder->path);
    skill.folder = folder->path;
    skill.root = snapshot.roots[folder->rootIndex];
    skills.push_back(std::move(skill));
  }
  for (const std::unique_ptr<Folder> &folder : folders) {
    if (!folder->files.empty() && folder->owner->listed)
      addDocuments(*folder, skills[folder->owner->skill]);
  }
  std::sort(skills.begin(), skills.end(),
            [](const StoredSkill &a, const StoredSkill &b) { return a.id < b.id; });
  for (StoredSkill &skill : skills) {
    std::sort(skill.documents.begin(), skill.documents.end(),
              [](const StoredDocument &a, const StoredDocument &b) { return a.path < b.path; });
  }
  return skills;
}

// Who names a folder whose skills are all below hidden ones would else find it empty, and not why.
void explainEmptiness(const Settings &settings, const Folders &folders, Warnings &warnings) {
  std::vector<std::size_t> hidden(settings.directories.size());
  std::vector<bool> serves(settings.directories.size());
  for (const std::unique_ptr<Folder> &folder : folders) {
    hidden[folder->rootIndex] += folder->hidden;
    if (folder->listed) serves[folder->rootIndex] = true;
  }
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    // A name of its own: the trouble with the directory itself is another matter.
    const std::string path = settings.directories[i].path + "/.*";
    if (serves[i] || hidden[i] == 0) {
      warnings.over(path);
      continue;
    }
    const bool one = hidden[i] == 1;
    warnings.once(path, std::to_string(hidden[i]) +
                            (one ? " hidden folder is passed over, and there is no skill beside it"
                                 : " hidden folders are passed over, and there is no skill beside "
                                   "them") +
                            ": name such a folder itself, or look into all with \"hidden: true\" "
                            "(--hidden for --skills-dir)");
  }
}

// A digest once in a revision stays there while the file is the same, so that the revision does.
// The first time the file is found quiet its bytes are looked at again: from then on they are sure.
void takeOver(const StoredSkill &skill, StoredDocument &document, const StoredDocument &before,
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

} // namespace

SnapshotPointer scan(const Settings &settings, const Snapshot *previous, Watches &watches,
                     Warnings &warnings, const Checkpoint &checkpoint, const FoldersSeen &seen) {
  static const Snapshot nothing;
  const Snapshot &before = previous != nullptr ? *previous : nothing;
  auto snapshot = std::make_shared<Snapshot>();
  ScanContext context{settings, watches, warnings, checkpoint, wallClock()};
  watches.beginScan();
  for (std::size_t i = 0; i < settings.directories.size(); ++i) {
    checkpoint();
    const std::shared_ptr<const Root> old = i < before.roots.size() ? before.roots[i] : nullptr;
    const Missing missing = settings.optional ? Missing::Fine : Missing::Told;
    snapshot->roots.push_back(
        openRoot(settings.directories[i], old, missing, watches, warnings, snapshot->trouble));
  }
  const auto isOpen = [](const auto &root) { return root != nullptr; };
  if (std::any_of(snapshot->roots.begin(), snapshot->roots.end(), isOpen)) snapshot->trouble = {};
  Folders folders = Walk(context, seen).run(snapshot->roots);
  watches.endScan();
  dropForeignFiles(folders, warnings);
  explainEmptiness(settings, folders, warnings);
  const StoredSkills &known = before.skills;
  auto next = known.begin();
  for (StoredSkill &skill : collect(settings, *snapshot, folders)) {
    checkpoint();
    for (StoredDocument &document : skill.documents) {
      const FoundDocument was = before.find(skill.id, document.path);
      if (was.document != nullptr) takeOver(skill, document, *was.document, checkpoint);
      document.revision = Revision(document.identity, document.digest, document.steady);
    }
    skill.documents.shrink_to_fit();
    while (next != known.end() && (*next)->id < skill.id) ++next;
    if (next != known.end() && **next == skill)
      snapshot->skills.push_back(*next);
    else
      snapshot->skills.push_back(std::make_shared<const StoredSkill>(std::move(skill)));
  }
  snapshot->id = identify(snapshot->skills);
  return snapshot;
}

} // namespace skillhost::filesystem
