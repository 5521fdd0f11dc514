// SPDX-License-Identifier: Apache-2.0
#include "artefact.hpp"

#include "ground/document_names.hpp"
#include "ground/sha256.hpp"
#include "paths/collisions.hpp"
#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <stdexcept>

namespace skillhost::well_known {
namespace {

constexpr const char *entryName = "SKILL.md";

std::size_t sizeOf(const Artefact &artefact) {
  std::size_t bytes = 0;
  for (const archive::PackedFile &file : artefact.files)
    bytes += sizeof file + file.path.size() + file.bytes.size();
  return bytes;
}

void check(const std::vector<archive::PackedFile> &files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const archive::PackedFile &file : files) {
    if (!paths::servable(file.path))
      throw std::runtime_error("\"" + paths::printable(file.path) +
                               "\" is a name that cannot be served");
    names.push_back(file.path);
  }
  if (std::find(names.begin(), names.end(), entryName) == names.end())
    throw std::runtime_error("it has no SKILL.md at its root");
  if (const std::string twin = paths::firstCollision(names); !twin.empty())
    throw std::runtime_error("\"" + twin +
                             "\" differs from another file only in case or Unicode form");
}

} // namespace

ArtefactPointer unpack(const IndexEntry &entry, const std::string &bytes, const Limits &limits) {
  auto artefact = std::make_shared<Artefact>();
  artefact->digest = entry.digest;
  artefact->kind = entry.kind;
  if (entry.kind == ArtefactKind::document)
    artefact->files.push_back({entryName, bytes, false});
  else
    artefact->files = archive::readPacked(
        bytes, {limits.maxSkillFiles, static_cast<std::size_t>(limits.maxSkillBytes)});
  std::erase_if(artefact->files, [](const archive::PackedFile &file) {
    return kindOfPath(file.path) == NameKind::Litter;
  });
  check(artefact->files);
  return artefact;
}

SkillPointer describe(const IndexEntry &entry, const Artefact &artefact, std::int64_t fetched) {
  auto skill = std::make_shared<StoredSkill>();
  skill->entry = entry;
  skill->fetched = fetched;
  for (const archive::PackedFile &file : artefact.files) {
    std::uint32_t flags = file.path == entryName ? std::uint32_t{SKH_DOC_ENTRY} : 0U;
    if (file.executable) flags |= std::uint32_t{SKH_DOC_EXECUTABLE};
    skill->documents.push_back({file.path, sha256Hex(file.bytes), file.bytes.size(), flags});
  }
  return skill;
}

void Unpacked::add(ArtefactPointer artefact) {
  const std::lock_guard lock(mutex_);
  std::erase_if(artefacts_, [&](const ArtefactPointer &old) {
    return old->digest == artefact->digest && old->kind == artefact->kind;
  });
  artefacts_.push_front(std::move(artefact));
  std::size_t bytes = 0;
  const auto tooMuch =
      std::find_if(artefacts_.begin(), artefacts_.end(), [&](const ArtefactPointer &one) {
        bytes += sizeOf(*one);
        return bytes > maxBytes_ && one != artefacts_.front();
      });
  artefacts_.erase(tooMuch, artefacts_.end());
}

ArtefactPointer Unpacked::find(const IndexEntry &entry) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(artefacts_.begin(), artefacts_.end(), [&](const ArtefactPointer &one) {
        return one->digest == entry.digest && one->kind == entry.kind;
      });
  if (found == artefacts_.end()) return nullptr;
  artefacts_.splice(artefacts_.begin(), artefacts_, found);
  return artefacts_.front();
}

} // namespace skillhost::well_known
