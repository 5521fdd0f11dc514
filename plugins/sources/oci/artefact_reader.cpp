// SPDX-License-Identifier: Apache-2.0
#include "artefact_reader.hpp"

#include "ground/sha256.hpp"
#include "oci/digest.hpp"

#include <skillhost/plugin.hpp>

#include <chrono>

namespace skillhost::oci_source {
namespace {

std::int64_t momentOfReading() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

} // namespace

std::string ArtefactReader::digestOf(const Reference &reference) {
  early_.reset();
  if (!reference.digest.empty()) return reference.digest;
  oci::Registry &registry = registries_.of(reference);
  std::string digest = registry.digestOf(operation_, reference);
  if (!digest.empty()) return digest;
  early_ = registry.manifest(operation_, reference, reference.tag);
  return early_->digest;
}

oci::FetchedManifest ArtefactReader::manifest(const std::string &digest) {
  if (early_ && early_->digest == digest) return *early_;
  return registries_.of(reading_).manifest(operation_, reading_, digest);
}

std::string ArtefactReader::layer(const oci::Descriptor &descriptor) {
  const std::string name = oci::hexadecimalOf(descriptor.digest);
  if (folder_.has(name))
    if (std::optional<std::string> kept = folder_.get(name, settings_.limits.artefactBytes);
        kept && kept->size() == descriptor.size)
      return *std::move(kept);
  std::string bytes = registries_.of(reading_).blob(operation_, reading_, descriptor,
                                                    settings_.limits.artefactBytes);
  folder_.put(name, bytes);
  ++fetched_;
  return bytes;
}

std::string ArtefactReader::configuration(const oci::Descriptor &descriptor,
                                          std::uint64_t maxBytes) {
  return registries_.of(reading_).blob(operation_, reading_, descriptor, maxBytes);
}

ArtefactPointer ArtefactReader::read(const Reference &reference, const std::string &digest) {
  reading_ = reference;
  std::string signer;
  if (!settings_.trustedKeys.empty())
    signer = oci::requireSigner(registries_.of(reference), operation_, reference, digest,
                                settings_.trustedKeys);
  oci::LoadedArtefact loaded =
      oci::loadArtefact(*this, digest, {settings_.limits.artefactBytes, settings_.limits.skills},
                        [this] { operation_.checkpoint(); });
  for (const std::string &finding : loaded.found.findings) say_(reference.text() + ": " + finding);
  auto artefact = std::make_shared<Artefact>();
  artefact->reference = reference;
  artefact->digest = digest;
  artefact->layers = std::move(loaded.layers);
  artefact->signer = std::move(signer);
  artefact->fetched = momentOfReading();
  for (const oci::FoundSkill &skill : loaded.found.skills) artefact->skills.push_back(store(skill));
  return artefact;
}

StoredSkill ArtefactReader::store(const oci::FoundSkill &skill) const {
  StoredSkill stored{skill.folder, {}};
  for (const archive::PackedFile &file : skill.files) {
    std::uint32_t flags = file.path == "SKILL.md" ? std::uint32_t{SKH_DOC_ENTRY} : 0U;
    if (file.executable) flags |= std::uint32_t{SKH_DOC_EXECUTABLE};
    std::string revision = sha256Hex(file.bytes);
    if (!folder_.has(revision)) folder_.put(revision, file.bytes);
    stored.documents.push_back({file.path, std::move(revision), file.bytes.size(), flags});
  }
  return stored;
}

} // namespace skillhost::oci_source
