// SPDX-License-Identifier: Apache-2.0
#include "manifest.hpp"

#include "digest.hpp"
#include "reference.hpp"

#include "ground/json.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace skillhost::oci {
namespace {

constexpr std::string_view ociIndex = "application/vnd.oci.image.index.v1+json",
                           ociManifest = "application/vnd.oci.image.manifest.v1+json",
                           dockerList = "application/vnd.docker.distribution.manifest.list.v2+json",
                           dockerManifest = "application/vnd.docker.distribution.manifest.v2+json",
                           ociConfiguration = "application/vnd.oci.image.config.v1+json",
                           dockerConfiguration = "application/vnd.docker.container.image.v1+json";
constexpr std::size_t maxAnnotations = 256, maxTags = 10'000, shownBytes = 80,
                      maxShownErrorBytes = 200;
constexpr std::uint64_t maxSize = std::uint64_t{1} << 40U;
constexpr int maxDepth = 16;

std::string shown(std::string_view text) {
  return "\"" + paths::printable(text.substr(0, shownBytes)) +
         (text.size() > shownBytes ? "…\"" : "\"");
}

std::string textOf(const Json &object, const char *key) {
  const auto found = object.find(key);
  const auto *const text = found == object.end() ? nullptr : found->get_ptr<const std::string *>();
  return text == nullptr ? std::string() : *text;
}

std::map<std::string, std::string> textsOf(const Json &object, const char *key) {
  std::map<std::string, std::string> texts;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return texts;
  for (const auto &[name, value] : found->items())
    if (value.is_string() && texts.size() < maxAnnotations)
      texts.emplace(name, value.get_ref<const std::string &>());
  return texts;
}

std::string platformOf(const Json &object) {
  const auto found = object.find("platform");
  if (found == object.end() || !found->is_object()) return {};
  return textOf(*found, "os") + "/" + textOf(*found, "architecture");
}

Descriptor readDescriptor(const Json &read, const std::string &where) {
  if (!read.is_object()) throw ContentError(where + ": is no object");
  Descriptor descriptor{
      textOf(read, "mediaType"), textOf(read, "digest"),      textOf(read, "artifactType"), 0,
      platformOf(read),          textsOf(read, "annotations")};
  if (!isDigest(descriptor.digest))
    throw ContentError(where +
                       ".digest: must be sha256: and 64 digits 0-9 a-f, or sha512: and "
                       "128, is " +
                       shown(descriptor.digest));
  const auto size = read.find("size");
  if (size == read.end() || !size->is_number_integer() || *size < 0 || *size > maxSize)
    throw ContentError(where + ".size: must be a number of bytes");
  descriptor.size = size->get<std::uint64_t>();
  return descriptor;
}

std::vector<Descriptor> readDescriptors(const Json &document, const char *key, std::size_t limit) {
  const auto found = document.find(key);
  if (found == document.end() || !found->is_array())
    throw ContentError("it has no list \"" + std::string(key) + "\"");
  if (found->size() > limit)
    throw ContentError("it has " + std::to_string(found->size()) + " " + key +
                       ", and there may be " + std::to_string(limit));
  std::vector<Descriptor> all;
  all.reserve(found->size());
  for (const Json &one : *found)
    all.push_back(readDescriptor(one, std::string(key) + "[" + std::to_string(all.size()) + "]"));
  return all;
}

Json readObject(std::string_view text) {
  std::optional<Json> document = readJsonObject(text, maxDepth);
  if (!document)
    throw ContentError("it must be a JSON object, in valid UTF-8, without a name twice in one "
                       "object");
  return *std::move(document);
}

bool isAttestation(const Descriptor &one) {
  return one.platform == "unknown/unknown" || one.annotations.contains("vnd.docker.reference.type");
}

std::string_view withoutParameters(std::string_view mediaType) {
  mediaType = mediaType.substr(0, mediaType.find(';'));
  while (mediaType.ends_with(' ')) mediaType.remove_suffix(1);
  return mediaType;
}

} // namespace

const char *const acceptedManifests =
    "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json, "
    "application/vnd.docker.distribution.manifest.list.v2+json, "
    "application/vnd.docker.distribution.manifest.v2+json";
const char *const titleAnnotation = "org.opencontainers.image.title";

Manifest readManifest(std::string_view text, std::string_view mediaType) {
  const Json document = readObject(text);
  std::string type = textOf(document, "mediaType");
  if (type.empty()) type = withoutParameters(mediaType);
  Manifest manifest;
  manifest.artifactType = textOf(document, "artifactType");
  manifest.annotations = textsOf(document, "annotations");
  manifest.isIndex = type == ociIndex || type == dockerList;
  if (!manifest.isIndex && type != ociManifest && type != dockerManifest)
    throw ContentError("it is of a kind that is not known, " + shown(type));
  // An index and a manifest have different members. Two programs could read a document with both
  // differently.
  if (document.contains(manifest.isIndex ? "layers" : "manifests"))
    throw ContentError("it is an index and a manifest at once");
  if (manifest.isIndex) {
    manifest.manifests = readDescriptors(document, "manifests", maxManifests);
    return manifest;
  }
  const auto config = document.find("config");
  if (config == document.end()) throw ContentError("it has no \"config\"");
  manifest.config = readDescriptor(*config, "config");
  manifest.layers = readDescriptors(document, "layers", maxLayers);
  return manifest;
}

LayerKind kindOf(const Descriptor &layer) {
  const std::string_view type = withoutParameters(layer.mediaType);
  for (const std::string_view end :
       {".tar", ".tar+gzip", ".tar.gzip", ".tar+zstd", ".tar.zstd", "/x-tar", "/gzip"})
    if (type.ends_with(end)) return LayerKind::tar;
  return layer.annotations.contains(titleAnnotation) ? LayerKind::file : LayerKind::other;
}

bool isImageConfiguration(const Descriptor &config) {
  return config.mediaType == ociConfiguration || config.mediaType == dockerConfiguration;
}

std::map<std::string, std::string> readLabels(std::string_view text) {
  const Json document = readObject(text);
  const auto config = document.find("config");
  if (config == document.end() || !config->is_object()) return {};
  return textsOf(*config, "Labels");
}

std::vector<std::string> readTags(std::string_view text) {
  const Json document = readObject(text);
  const auto found = document.find("tags");
  if (found == document.end() || (!found->is_array() && !found->is_null()))
    throw ContentError("it has no list \"tags\"");
  std::vector<std::string> tags;
  for (const Json &one : *found) {
    const auto *const tag = one.get_ptr<const std::string *>();
    if (tag == nullptr || !isTag(*tag)) continue; // skip names that cannot be requested
    if (tags.size() == maxTags)
      throw ContentError("it has more than " + std::to_string(maxTags) + " tags");
    tags.push_back(*tag);
  }
  return tags;
}

std::string readComplaint(std::string_view text) {
  const std::optional<Json> document = readJsonObject(text, maxDepth);
  if (!document) return {};
  const auto errors = document->find("errors");
  if (errors == document->end() || !errors->is_array() || errors->empty() ||
      !errors->front().is_object())
    return {};
  const std::string code = textOf(errors->front(), "code"),
                    message = textOf(errors->front(), "message");
  const std::string both = code + (code.empty() || message.empty() ? "" : ", ") + message;
  return paths::printable(both.substr(0, maxShownErrorBytes));
}

std::string nextLink(std::string_view header) {
  const std::size_t begin = header.find('<'), end = header.find('>');
  if (begin == header.npos || end == header.npos || end < begin) return {};
  const std::string_view rest = header.substr(end + 1);
  const bool isNext = rest.find("rel=\"next\"") != rest.npos || rest.find("rel=next") != rest.npos;
  return isNext ? std::string(header.substr(begin + 1, end - begin - 1)) : std::string();
}

std::vector<Descriptor> candidates(const Manifest &index) {
  std::vector<Descriptor> all;
  for (const Descriptor &one : index.manifests) {
    if (isAttestation(one)) continue;
    if (one.platform == "linux/amd64") return {one};
    all.push_back(one);
  }
  return all;
}

} // namespace skillhost::oci
