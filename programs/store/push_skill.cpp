// SPDX-License-Identifier: Apache-2.0
#include "push_skill.hpp"

#include "oci/packing.hpp"
#include "registry_session.hpp"
#include "skill_folder.hpp"
#include "store/names.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

oci::PackedSkill packedFrom(SkillToSave skill) {
  if (const std::string wrong = store::faultInName(skill.name); !wrong.empty())
    throw std::runtime_error("\"" + skill.name + "\" cannot be pushed: its name " + wrong);
  store::checkContent(skill.name, skill.content);
  const auto entry = std::find_if(skill.content.files.begin(), skill.content.files.end(),
                                  [](const store::File &file) { return file.path == "SKILL.md"; });
  Result<SkillFields> fields =
      fieldsInDocument(entry->bytes, skill.name, skill.origin + "/SKILL.md");
  if (!fields) throw std::runtime_error(fields.failure().message);
  std::vector<archive::PackedFile> files;
  files.reserve(skill.content.files.size());
  for (store::File &file : skill.content.files)
    files.push_back({std::move(file.path), std::move(file.bytes), file.executable});
  try {
    return oci::packSkill(
        {fields->name, fields->description, fields->version, fields->license, fields->allowedTools},
        std::move(files));
  } catch (const std::runtime_error &why) {
    throw std::runtime_error(skill.name + " cannot be packed: " + why.what());
  }
}

oci::Reference exactly(const oci::Reference &where, const std::string &digest) {
  return {where.registry, where.repository, "", digest};
}

// Returns the digest that the registry has under that name; "": none.
std::string digestThere(RegistrySession &session, const oci::Reference &name) {
  return session.step("looking at what is there", [&](oci::Registry &registry, auto &operation) {
    try {
      std::string digest = registry.digestOf(operation, name);
      if (!digest.empty()) return digest;
      return registry.manifest(operation, name, name.manifest()).digest;
    } catch (const oci::MissingError &) {
      return std::string();
    }
  });
}

void sendAll(RegistrySession &session, const oci::PackedSkill &packed, Pushed &pushed) {
  const oci::Reference &where = session.reference();
  for (const oci::Part &blob : packed.blobs)
    session.step("sending " + blob.descriptor.digest, [&](auto &registry, auto &operation) {
      if (registry.putBlob(operation, where, blob.descriptor, blob.bytes)) ++pushed.sent;
    });
  for (const oci::Part &one : packed.manifests)
    session.step("sending the manifest " + one.descriptor.digest,
                 [&](auto &registry, auto &operation) {
                   registry.putManifest(operation, where, one.descriptor.digest,
                                        one.descriptor.mediaType, one.bytes);
                 });
  const oci::Descriptor &index = packed.index.descriptor;
  session.step("sending the index " + index.digest, [&](auto &registry, auto &operation) {
    registry.putManifest(operation, where, where.tag.empty() ? index.digest : where.tag,
                         index.mediaType, packed.index.bytes);
  });
}

} // namespace

Pushed pushSkill(const RegistrySettings &settings, SkillToSave skill) {
  Pushed pushed{skill.name, {}, false, 0, 0};
  const oci::PackedSkill packed = packedFrom(std::move(skill));
  pushed.digest = packed.index.descriptor.digest;
  pushed.blobs = packed.blobs.size();
  const oci::Reference &where = settings.reference;
  if (!where.digest.empty() && where.digest != pushed.digest)
    throw std::runtime_error(where.text() + ": " + pushed.name + " has the digest " +
                             pushed.digest + " and not that one; nothing was sent");
  RegistrySession session(settings);
  // No registry can replace a tag only if it is unchanged, so of two simultaneous pushes the last
  // one wins.
  const oci::Reference byTag{where.registry, where.repository, where.tag, ""};
  const std::string there =
      digestThere(session, where.tag.empty() ? exactly(where, pushed.digest) : byTag);
  if (there == pushed.digest) return pushed;
  if (!there.empty() && !settings.force)
    throw std::runtime_error(where.text() + ": this tag is there already and names " + there +
                             ", another artefact than " + pushed.name + ", which has the digest " +
                             pushed.digest + "; --force replaces it");
  sendAll(session, packed, pushed);
  pushed.changed = true;
  return pushed;
}

} // namespace skillhost
