// SPDX-License-Identifier: Apache-2.0
#include "skills/skill_changes.hpp"

#include "skills/source_skills.hpp"

namespace skillhost {

bool hasChanged(const Skill &before, const Skill &now) {
  if (before.entryDigest != now.entryDigest || before.filePaths != now.filePaths) return true;
  for (std::size_t i = 0; i < now.filePaths.size(); ++i)
    if (i != now.entryAt && before.files[i].revision != now.files[i].revision) return true;
  return false;
}

SkillChanges changesBetween(const SourceSkills &before, const SourceSkills &now) {
  SkillChanges changes;
  changes.at = std::chrono::system_clock::now();
  changes.revisionBefore = before.revision;
  changes.revision = now.revision;
  auto old = before.skills.begin();
  for (const auto &[path, skill] : now.skills) {
    for (; old != before.skills.end() && old->first < path; ++old)
      changes.removed.add(old->second->id);
    if (old == before.skills.end() || old->first != path) {
      changes.added.add(skill->id);
      continue;
    }
    // An unchanged skill is the same object, unless other rules judge it.
    if (old->second != skill && hasChanged(*old->second, *skill)) changes.changed.add(skill->id);
    ++old;
  }
  for (; old != before.skills.end(); ++old) changes.removed.add(old->second->id);
  return changes;
}

} // namespace skillhost
