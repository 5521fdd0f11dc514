// SPDX-License-Identifier: Apache-2.0
#include "packing.hpp"

#include "digest.hpp"
#include "skills.hpp"
#include "toolhive.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace skillhost::oci {
namespace {

constexpr const char *indexType = "application/vnd.oci.image.index.v1+json",
                     *manifestType = "application/vnd.oci.image.manifest.v1+json",
                     *configType = "application/vnd.oci.image.config.v1+json",
                     *layerType = "application/vnd.oci.image.layer.v1.tar+gzip";
constexpr const char *noTime = "1970-01-01T00:00:00Z";
// The values follow ToolHive's packager: skills run anywhere, but its clients ask for their own
// platform.
constexpr const char *operatingSystem = "linux", *architectures[] = {"amd64", "arm64"};

Part partOf(const char *mediaType, std::string bytes) {
  Part part;
  part.descriptor.mediaType = mediaType;
  part.descriptor.digest = sha256Digest(bytes);
  part.descriptor.size = bytes.size();
  part.bytes = std::move(bytes);
  return part;
}

std::string textOfJson(const Json &json) {
  try {
    return json.dump();
  } catch (const nlohmann::json::exception &) {
    throw std::runtime_error("its name, its description or a path is no UTF-8");
  }
}

Json written(const Descriptor &descriptor) {
  return {{"mediaType", descriptor.mediaType},
          {"digest", descriptor.digest},
          {"size", descriptor.size}};
}

Json annotationsOf(const SkillWords &words) {
  return {{toolhive::description, words.description},
          {toolhive::name, words.name},
          {toolhive::version, words.version},
          {"org.opencontainers.image.created", noTime}};
}

Json labelsOf(const SkillWords &words, const std::vector<archive::PackedFile> &files) {
  Json paths = Json::array(), tools = Json::array();
  for (const archive::PackedFile &file : files) paths.push_back(file.path);
  for (const std::string &tool : words.allowedTools) tools.push_back(tool);
  return {{toolhive::allowedTools, textOfJson(tools)},
          {toolhive::description, words.description},
          {toolhive::files, textOfJson(paths)},
          {toolhive::license, words.license},
          {toolhive::name, words.name},
          {toolhive::version, words.version}};
}

// Refuses to pack files that could not be read again.
void requireReadable(const std::string &layer, std::size_t files) {
  const FoundSkills found = findSkills({{layer, {}}}, SkillLimits{});
  if (!found.findings.empty()) throw std::runtime_error(found.findings.front());
  std::size_t there = 0;
  for (const FoundSkill &skill : found.skills) there += skill.files.size();
  if (found.skills.empty() || !found.skills.front().folder.empty())
    throw std::runtime_error("it has no file SKILL.md");
  if (there != files)
    throw std::runtime_error("it has names that mean something else in a layer (.wh.…)");
}

} // namespace

PackedSkill packSkill(const SkillWords &words, std::vector<archive::PackedFile> files) {
  std::sort(files.begin(), files.end(),
            [](const auto &one, const auto &other) { return one.path < other.path; });
  PackedSkill packed;
  packed.blobs.push_back(partOf(layerType, archive::writePacked(files)));
  const Descriptor layer = packed.blobs.front().descriptor;
  requireReadable(packed.blobs.front().bytes, files.size());
  const std::string unpackedDigest = sha256Digest(archive::writeUnpacked(files));
  Json layerEntry = written(layer), manifests = Json::array();
  layerEntry["annotations"] = {{titleAnnotation, "skill.tar.gz"}};
  for (const char *const architecture : architectures) {
    const Json config{{"created", noTime},
                      {"architecture", architecture},
                      {"os", operatingSystem},
                      {"config", {{"Labels", labelsOf(words, files)}}},
                      {"rootfs", {{"type", "layers"}, {"diff_ids", Json::array({unpackedDigest})}}},
                      {"history", Json::array({Json{{"created", noTime},
                                                    {"created_by", "skillhost skill push"}}})}};
    packed.blobs.push_back(partOf(configType, textOfJson(config)));
    const Json manifest{{"schemaVersion", 2},
                        {"mediaType", manifestType},
                        {"artifactType", toolhive::artifactType},
                        {"config", written(packed.blobs.back().descriptor)},
                        {"layers", Json::array({layerEntry})},
                        {"annotations", annotationsOf(words)}};
    packed.manifests.push_back(partOf(manifestType, textOfJson(manifest)));
    Json entry = written(packed.manifests.back().descriptor);
    entry["platform"] = {{"architecture", architecture}, {"os", operatingSystem}};
    manifests.push_back(std::move(entry));
  }
  packed.index = partOf(indexType, textOfJson({{"schemaVersion", 2},
                                               {"mediaType", indexType},
                                               {"artifactType", toolhive::artifactType},
                                               {"manifests", std::move(manifests)},
                                               {"annotations", annotationsOf(words)}}));
  if (packed.index.bytes.size() > maxManifestBytes ||
      packed.manifests.front().bytes.size() > maxManifestBytes)
    throw std::runtime_error("its description is too long for a manifest");
  return packed;
}

} // namespace skillhost::oci
