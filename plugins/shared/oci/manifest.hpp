// SPDX-License-Identifier: Apache-2.0
// Parses the documents of a registry: manifests and indexes of OCI and of Docker (schema 2), image
// configurations and lists of tags. Strangers write them, so everything is checked and limited.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::oci {

// The content of the registry is wrong. Asking again does not help until the content changes.
class ContentError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

constexpr std::size_t maxManifestBytes = std::size_t{4} << 20U; // usual limit of registries
constexpr std::size_t maxLayers = 256, maxManifests = 1'024;

// The reference to a blob or a manifest.
struct Descriptor {
  std::string mediaType, digest, artifactType;
  std::uint64_t size = 0;
  std::string platform; // "linux/amd64"; "" if not stated
  std::map<std::string, std::string> annotations;
};

struct Manifest {
  bool isIndex = false;
  std::string artifactType;
  std::map<std::string, std::string> annotations;
  std::vector<Descriptor> manifests; // only in an index, in its order
  Descriptor config;                 // config and layers: only in a manifest
  std::vector<Descriptor> layers;    // the lowest first
};

// Value of the Accept header for the types that readManifest() reads.
extern const char *const acceptedManifests;

// `mediaType` comes from the head of the answer; a type in the document takes precedence. Throws
// ContentError if the text is not a JSON object, has an unknown type, lacks the members of its
// type, has invalid or unsupported digests or invalid sizes, or exceeds the limits.
Manifest readManifest(std::string_view text, std::string_view mediaType);

// The form of a layer's content.
enum class LayerKind : std::uint8_t { tar, file, other };
// Returns `tar` for the media type of a tar archive, packed with gzip, zstd or not at all; `file`
// for another type with a title, which is its path; otherwise `other`, which cannot hold skills.
LayerKind kindOf(const Descriptor &layer);
extern const char *const titleAnnotation;

// True if the configuration of a manifest can hold labels.
bool isImageConfiguration(const Descriptor &config);
// Returns `config.Labels` of an image configuration; empty if there are none. Throws ContentError.
std::map<std::string, std::string> readLabels(std::string_view text);

// Returns the valid tags in the answer of /v2/NAME/tags/list. Throws ContentError.
std::vector<std::string> readTags(std::string_view text);
// Returns the first error in the body of a refusal, "CODE, message", in printable form; "" if there
// is none.
std::string readComplaint(std::string_view text);
// Returns the target of `Link: <…>; rel="next"`; "" if there is none.
std::string nextLink(std::string_view header);

// Returns the manifests of an index that may match, the best first: only linux/amd64 if it is
// there. Attestations are left out.
std::vector<Descriptor> candidates(const Manifest &index);

} // namespace skillhost::oci
