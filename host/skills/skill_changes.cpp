// SPDX-License-Identifier: Apache-2.0
#include "skills/skill_changes.hpp"

#include "skills/source_skills.hpp"

namespace skillhost {

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
    // What is as it was is the same object, unless the rules that judge it are others.
    if (old->second != skill && old->second->files != skill->files) changes.changed.add(skill->id);
    ++old;
  }
  for (; old != before.skills.end(); ++old) changes.removed.add(old->second->id);
  return changes;
}

} // namespace skillhost
