// SPDX-License-Identifier: Apache-2.0
#include "artefact_reader.hpp"

#include "ground/json.hpp"
#include "ground/sha256.hpp"
#include "oci/digest.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <skillhost/plugin.hpp>

#include <algorithm>

namespace skillhost::oci_source {
namespace {

constexpr std::string_view skillArtefact = "dev.toolhive.skills.v1";
constexpr const char *nameLabel = "dev.toolhive.skills.name",
                     *filesLabel = "dev.toolhive.skills.files";
constexpr std::size_t mostCompared = 16; // manifests of an index for several platforms
constexpr std::uint64_t mostConfigBytes = std::uint64_t{1} << 20U;

bool haveSameLayers(const oci::Manifest &one, const oci::Manifest &other) {
  return std::equal(
      one.layers.begin(), one.layers.end(), other.layers.begin(), other.layers.end(),
      [](const oci::Descriptor &a, const oci::Descriptor &b) { return a.digest == b.digest; });
}

// The paths in a label that is a JSON list of texts.
std::vector<std::string> pathsIn(const std::string &label) {
  std::vector<std::string> all;
  const Result<Json> list = parseJson(label, {2, 100'000});
  if (!list || !list->is_array()) return all;
  for (const Json &one : *list)
    if (one.is_string()) all.push_back(one.get<std::string>());
  return all;
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

oci::Manifest ArtefactReader::manifestOf(const Reference &reference, const std::string &digest) {
  const oci::FetchedManifest fetched =
      early_ && early_->digest == digest
          ? *early_
          : registries_.of(reference).manifest(operation_, reference, digest);
  try {
    return oci::readManifest(fetched.bytes, fetched.mediaType);
  } catch (const oci::ContentError &error) {
    throw oci::ContentError("the manifest " + digest + ": " + error.what());
  }
}

oci::Manifest ArtefactReader::oneOf(const Reference &reference, const oci::Manifest &index) {
  const std::vector<oci::Descriptor> all = oci::candidates(index);
  if (all.empty()) throw oci::ContentError("the index names no manifest");
  if (all.size() > mostCompared)
    throw oci::ContentError("the index has none for linux/amd64, and " +
                            std::to_string(all.size()) +
                            " others, of which it is not known which is meant");
  std::optional<oci::Manifest> chosen;
  for (const oci::Descriptor &one : all) {
    oci::Manifest manifest = manifestOf(reference, one.digest);
    if (manifest.isIndex) throw oci::ContentError("the index names an index");
    if (!chosen)
      chosen = std::move(manifest);
    else if (!haveSameLayers(*chosen, manifest))
      throw oci::ContentError("the index has none for linux/amd64, and the others differ");
  }
  return *std::move(chosen);
}

std::string ArtefactReader::layer(const Reference &reference, const oci::Descriptor &descriptor) {
  const std::string name = oci::hexadecimalOf(descriptor.digest);
  if (folder_.has(name))
    if (std::optional<std::string> kept = folder_.get(name, settings_.limits.artefactBytes);
        kept && kept->size() == descriptor.size)
      return *std::move(kept);
  std::string bytes = registries_.of(reference).blob(operation_, reference, descriptor,
                                                     settings_.limits.artefactBytes);
  folder_.put(name, bytes);
  ++fetched_;
  return bytes;
}

ArtefactPointer ArtefactReader::read(const Reference &reference, const std::string &digest) {
  const oci::Manifest top = manifestOf(reference, digest);
  const oci::Manifest manifest = top.isIndex ? oneOf(reference, top) : top;
  auto artefact = std::make_shared<Artefact>();
  artefact->reference = reference;
  artefact->digest = digest;
  std::uint64_t sum = 0;
  for (const oci::Descriptor &one : manifest.layers) {
    if (oci::kindOf(one) == oci::LayerKind::other) continue;
    if (one.size > settings_.limits.artefactBytes - sum)
      throw oci::ContentError("its layers have more than " +
                              std::to_string(settings_.limits.artefactBytes) +
                              " bytes (max_artefact_bytes)");
    sum += one.size;
  }
  std::vector<std::string> bytes;
  bytes.reserve(manifest.layers.size());
  std::vector<archive::Layer> layers;
  for (const oci::Descriptor &one : manifest.layers) {
    const oci::LayerKind kind = oci::kindOf(one);
    if (kind == oci::LayerKind::other) continue;
    bytes.push_back(layer(reference, one));
    layers.push_back({bytes.back(), {}});
    if (kind == oci::LayerKind::file)
      layers.back().title = one.annotations.at(oci::titleAnnotation);
    artefact->layers.push_back(one.digest);
  }
  const oci::FoundSkills found =
      oci::findSkills(layers, settings_.limits.skills, [this] { operation_.checkpoint(); });
  for (const std::string &finding : found.findings) say_(reference.text() + ": " + finding);
  if (found.skills.empty() && found.findings.empty())
    throw oci::ContentError("no layer of it holds a SKILL.md");
  if (top.artifactType == skillArtefact || manifest.artifactType == skillArtefact)
    checkLabels(reference, manifest, found);
  for (const oci::FoundSkill &skill : found.skills) artefact->skills.push_back(store(skill));
  return artefact;
}

// What a catalogue shows of a skill is in the labels: they are to be about what is in the layer.
void ArtefactReader::checkLabels(const Reference &reference, const oci::Manifest &manifest,
                                 const oci::FoundSkills &found) {
  if (!oci::isImageConfiguration(manifest.config)) return;
  const auto labels = oci::readLabels(
      registries_.of(reference).blob(operation_, reference, manifest.config, mostConfigBytes));
  const auto name = labels.find(nameLabel);
  if (name == labels.end()) {
    say_(reference.text() + ": its labels name no skill (" + nameLabel + ")");
    return;
  }
  const auto files = labels.find(filesLabel);
  if (files == labels.end() || found.skills.empty()) return;
  const std::vector<archive::PackedFile> &there = found.skills.front().files;
  for (const std::string &path : pathsIn(files->second))
    if (std::none_of(there.begin(), there.end(),
                     [&](const archive::PackedFile &file) { return file.path == path; })) {
      say_(reference.text() + ": its labels name \"" + paths::printable(path.substr(0, 100)) +
           "\", which its layer has not");
      return;
    }
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
