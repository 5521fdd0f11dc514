// SPDX-License-Identifier: Apache-2.0
#include "stored_archive.hpp"

#include "archive/tar.hpp"
#include "store/limits.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost {
namespace {

constexpr std::string_view moduleEnd = ".wasm";
constexpr std::string_view signaturesEnd = ".signatures";

std::string folderIn(const std::vector<archive::TarFile> &files) {
  std::string name;
  for (const archive::TarFile &file : files) {
    const std::size_t slash = file.path.find('/');
    if (slash == std::string::npos) continue;
    const std::string folder = file.path.substr(0, slash);
    if (!name.empty() && folder != name)
      throw std::runtime_error("it has two folders, \"" + name + "\" and \"" + folder +
                               "\"; an archive has one skill");
    name = folder;
  }
  if (name.empty()) throw std::runtime_error("it has no folder with a skill in it");
  return name;
}

} // namespace

std::string writeSkillArchive(const store::LoadedSkill &skill, const std::string &signatures) {
  const std::string &name = skill.metadata.name;
  std::vector<archive::TarFile> files;
  files.reserve(skill.files.size() + 2);
  for (const store::FileView &file : skill.files)
    files.push_back({name + '/' + std::string(file.path), std::string(file.bytes)});
  if (const auto module = moduleOf(skill))
    files.push_back({name + std::string(moduleEnd), std::string(*module)});
  if (!signatures.empty()) files.push_back({name + std::string(signaturesEnd), signatures});
  return archive::writeTar(files);
}

ArchivedSkill readSkillArchive(std::string_view bytes) {
  std::vector<archive::TarFile> files =
      archive::readTar(bytes, {store::maxFiles + 2, store::maxBytes + store::maxModuleBytes});
  ArchivedSkill skill;
  skill.name = folderIn(files);
  for (archive::TarFile &file : files) {
    if (file.path == skill.name + std::string(moduleEnd))
      skill.content.module = std::move(file.bytes);
    else if (file.path == skill.name + std::string(signaturesEnd))
      skill.signatures = std::move(file.bytes);
    else if (file.path.starts_with(skill.name + '/'))
      skill.content.files.push_back(
          {file.path.substr(skill.name.size() + 1), std::move(file.bytes)});
    else
      throw std::runtime_error("\"" + file.path + "\" belongs to no skill");
  }
  if (skill.signatures.size() > store::maxSignatureBytes)
    throw std::runtime_error("its signatures are too large");
  return skill;
}

} // namespace skillhost
