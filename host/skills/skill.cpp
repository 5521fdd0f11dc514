// SPDX-License-Identifier: Apache-2.0
#include "skills/skill.hpp"

#include "ground/blake3.hpp"

#include <algorithm>

namespace skillhost {

const Document &Skill::entry() const noexcept {
  static const Document none;
  return entryAt < files.size() ? files[entryAt] : none;
}

std::string_view Skill::announcedPath(std::size_t file) const noexcept {
  return filePaths[file] == entry().path ? entryName : std::string_view(filePaths[file]);
}

std::size_t Skill::fileAt(std::string_view wanted) const noexcept {
  return placedFilesOf(*this).at(wanted);
}

bool Skill::hasFolder(std::string_view wanted) const noexcept {
  // Names such as `wanted-2` are sorted between `wanted` and the files below it.
  const std::size_t length = wanted.size();
  const auto first = std::lower_bound(
      filePaths.begin(), filePaths.end(), wanted,
      [](const std::string &file, std::string_view name) {
        const int order = std::string_view(file).substr(0, name.size()).compare(name);
        return order < 0 || (order == 0 && (file.size() == name.size() ||
                                            static_cast<unsigned char>(file[name.size()]) < '/'));
      });
  return first != filePaths.end() && first->size() > length && first->starts_with(wanted) &&
         (*first)[length] == '/';
}

std::string contentKeyOf(const Skill &skill) {
  std::string names = skill.id + '\n' + skill.entry().revision + '\n' + skill.folder;
  for (std::size_t i = 0; i < skill.files.size(); ++i)
    ((names += '\0') += skill.filePaths[i] + '\0') += skill.files[i].revision;
  if (skill.isFiltered) names += '\n';
  if (!skill.notice.empty()) (names += '\n') += skill.notice;
  return blake3Hex(names);
}

SkillNames namesOf(const Skill &skill) noexcept {
  const std::string_view path = skill.path;
  return {path.substr(path.rfind('/') + 1), skill.fields.name};
}

PlacedFiles placedFilesOf(const Skill &skill) noexcept {
  return {skill.uri, skill.folder, skill.filePaths, skill.entry().path, namesOf(skill)};
}

} // namespace skillhost
