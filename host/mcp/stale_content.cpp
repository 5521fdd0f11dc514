// SPDX-License-Identifier: Apache-2.0
#include "stale_content.hpp"

namespace skillhost {
namespace {

// Whether the skill has this very document.
bool hasStill(const Skill *skill, const std::string &path, const Document &document) {
  if (skill == nullptr) return false;
  const std::size_t file = skill->fileAt(path);
  return file != Skill::npos && skill->files[file].revision == document.revision;
}

// Whether its SKILL.md and the files that are in no skill inside it are the same. What is inside
// may be hidden from who has rendered the rest, and then nothing has changed for that one.
bool isSame(const Skill &a, const Skill &b) {
  if (a.entry().revision != b.entry().revision) return false;
  const auto own = [](const Skill &skill) {
    std::string all;
    for (std::size_t i = 0; i < skill.files.size(); ++i)
      if (skill.files[i].skill == skill.path)
        ((all += '\0') += skill.filePaths[i] + '\0') += skill.files[i].revision;
    return all;
  };
  return own(a) == own(b);
}

} // namespace

std::string documentKey(const Skill &skill, const Document &document) {
  return "document\n" + skill.source + '\n' + document.skill + '\n' + document.path + '\n' +
         document.revision;
}

std::string renderedKey(const Skill &skill, Reach reach) {
  return skill.contentKey + '\n' + static_cast<char>('0' + static_cast<int>(reach));
}

void forgetStale(Cache &cache, const Catalogue &now, const Catalogue &before) {
  if (cache.statistics().entries == 0) return;
  for (const CatalogueEntry &entry : before.entries()) {
    const Skill &was = *entry.skill;
    const CatalogueEntry *const current = now.byId(was.id);
    const Skill *const is = current == nullptr ? nullptr : current->skill.get();
    if (is == &was) continue; // an unchanged skill is the same object in both
    if (is == nullptr || (is->contentKey != was.contentKey && !isSame(*is, was)))
      for (const Reach reach : {Reach::Folder, Reach::Tool, Reach::Resource})
        cache.erase(renderedKey(was, reach));
    for (std::size_t i = 0; i < was.files.size(); ++i)
      if (!hasStill(is, was.filePaths[i], was.files[i]))
        cache.erase(documentKey(was, was.files[i]));
  }
}

} // namespace skillhost
