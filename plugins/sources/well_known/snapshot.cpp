// SPDX-License-Identifier: Apache-2.0
#include "snapshot.hpp"

#include "ground/sha256.hpp"

#include <algorithm>

namespace skillhost::well_known {

SkillPointer Snapshot::find(std::string_view name) const noexcept {
  const auto found = std::lower_bound(skills.begin(), skills.end(), name,
                                      [](const SkillPointer &skill, std::string_view wanted) {
                                        return skill->entry.name < wanted;
                                      });
  return found != skills.end() && (*found)->entry.name == name ? *found : nullptr;
}

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept {
  const auto found = std::lower_bound(skill.documents.begin(), skill.documents.end(), path,
                                      [](const StoredDocument &document, std::string_view wanted) {
                                        return document.path < wanted;
                                      });
  return found != skill.documents.end() && found->path == path ? &*found : nullptr;
}

SnapshotPointer makeSnapshot(std::vector<SkillPointer> skills) {
  std::sort(skills.begin(), skills.end(), [](const SkillPointer &a, const SkillPointer &b) {
    return a->entry.name < b->entry.name;
  });
  std::string all;
  for (const SkillPointer &skill : skills)
    all += skill->entry.name + ' ' + skill->entry.digest + '\n';
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = sha256Hex(all);
  snapshot->skills = std::move(skills);
  return snapshot;
}

void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const StoredSkill &, const StoredDocument &, bool)> &tell) {
  for (const SkillPointer &old : before.skills) {
    const SkillPointer now = after.find(old->entry.name);
    if (now == old) continue;
    for (const StoredDocument &document : old->documents)
      if (!now || findDocument(*now, document.path) == nullptr) tell(*old, document, true);
  }
  for (const SkillPointer &now : after.skills) {
    const SkillPointer old = before.find(now->entry.name);
    if (now == old) continue;
    for (const StoredDocument &document : now->documents) {
      const StoredDocument *const was = old ? findDocument(*old, document.path) : nullptr;
      if (was == nullptr || was->revision != document.revision || was->flags != document.flags)
        tell(*now, document, false);
    }
  }
}

} // namespace skillhost::well_known
