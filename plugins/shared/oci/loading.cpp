// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

#include "toolhive.hpp"

#include "ground/json.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace skillhost::oci {
namespace {

// Limit of compared manifests in an index of several platforms.
constexpr std::size_t maxComparedLayers = 16;
constexpr std::uint64_t maxConfigBytes = std::uint64_t{1} << 20U;

bool haveSameLayers(const Manifest &one, const Manifest &other) {
  return std::equal(one.layers.begin(), one.layers.end(), other.layers.begin(), other.layers.end(),
                    [](const Descriptor &a, const Descriptor &b) { return a.digest == b.digest; });
}

// Returns the paths in a label that is a JSON list of texts.
std::vector<std::string> pathsIn(const std::string &label) {
  std::vector<std::string> all;
  const Result<Json> list = parseJson(label, {2, 100'000});
  if (!list || !list->is_array()) return all;
  for (const Json &one : *list)
    if (one.is_string()) all.push_back(one.get<std::string>());
  return all;
}

Manifest readPart(ArtefactParts &parts, const std::string &digest) {
  const FetchedManifest fetched = parts.manifest(digest);
  try {
    return readManifest(fetched.bytes, fetched.mediaType);
  } catch (const ContentError &error) {
    throw ContentError("the manifest " + digest + ": " + error.what());
  }
}

Manifest oneOf(ArtefactParts &parts, const Manifest &index) {
  const std::vector<Descriptor> all = candidates(index);
  if (all.empty()) throw ContentError("the index names no manifest");
  if (all.size() > maxComparedLayers)
    throw ContentError("the index has none for linux/amd64, and " + std::to_string(all.size()) +
                       " others, of which it is not known which is meant");
  std::optional<Manifest> chosen;
  for (const Descriptor &one : all) {
    Manifest manifest = readPart(parts, one.digest);
    if (manifest.isIndex) throw ContentError("the index names an index");
    if (!chosen)
      chosen = std::move(manifest);
    else if (!haveSameLayers(*chosen, manifest))
      throw ContentError("the index has none for linux/amd64, and the others differ");
  }
  return *std::move(chosen);
}

std::vector<Descriptor> readableLayers(const Manifest &manifest, std::uint64_t maxBytes) {
  std::vector<Descriptor> all;
  std::uint64_t sum = 0;
  for (const Descriptor &one : manifest.layers) {
    if (kindOf(one) == LayerKind::other) continue;
    if (one.size > maxBytes - sum)
      throw ContentError("its layers have more than " + std::to_string(maxBytes) +
                         " bytes (max_artefact_bytes)");
    sum += one.size;
    all.push_back(one);
  }
  return all;
}

// Catalogues show the labels of a skill, so the labels must match the content of the layer. Returns
// the first mismatch.
std::string wrongLabels(ArtefactParts &parts, const Manifest &manifest, const FoundSkills &found) {
  if (!isImageConfiguration(manifest.config)) return {};
  const auto labels = readLabels(parts.configuration(manifest.config, maxConfigBytes));
  if (!labels.contains(toolhive::name))
    return std::string("its labels name no skill (") + toolhive::name + ")";
  const auto files = labels.find(toolhive::files);
  if (files == labels.end() || found.skills.empty()) return {};
  const std::vector<archive::PackedFile> &there = found.skills.front().files;
  for (const std::string &path : pathsIn(files->second))
    if (std::none_of(there.begin(), there.end(),
                     [&](const archive::PackedFile &file) { return file.path == path; }))
      return "its labels name \"" + paths::printable(path.substr(0, 100)) +
             "\", which its layer has not";
  return {};
}

} // namespace

LoadedArtefact loadArtefact(ArtefactParts &parts, const std::string &digest,
                            const ArtefactLimits &limits, const std::function<void()> &checkpoint) {
  const Manifest top = readPart(parts, digest);
  const Manifest manifest = top.isIndex ? oneOf(parts, top) : top;
  const std::vector<Descriptor> wanted = readableLayers(manifest, limits.bytes);
  LoadedArtefact loaded;
  std::vector<std::string> bytes;
  bytes.reserve(wanted.size()); // the layers point into it
  std::vector<archive::Layer> layers;
  for (const Descriptor &one : wanted) {
    bytes.push_back(parts.layer(one));
    layers.push_back({bytes.back(), {}});
    if (kindOf(one) == LayerKind::file) layers.back().title = one.annotations.at(titleAnnotation);
    loaded.layers.push_back(one.digest);
  }
  loaded.found = findSkills(layers, limits.skills, checkpoint);
  if (loaded.found.skills.empty() && loaded.found.findings.empty())
    throw ContentError("no layer of it holds a SKILL.md");
  if (top.artifactType == toolhive::artifactType || manifest.artifactType == toolhive::artifactType)
    if (std::string wrong = wrongLabels(parts, manifest, loaded.found); !wrong.empty())
      loaded.found.findings.push_back(std::move(wrong));
  return loaded;
}

} // namespace skillhost::oci
