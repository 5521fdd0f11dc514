// SPDX-License-Identifier: Apache-2.0
// The documents of a registry: manifests and indexes of OCI and of Docker (schema 2), image
// configurations, lists of tags. All are a stranger's: what is read is checked, and bounded.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::oci {

// What is wrong with what a registry has: asking again changes nothing as long as it has that.
class ContentError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

constexpr std::size_t mostManifestBytes = std::size_t{4} << 20U; // as registries have it
constexpr std::size_t mostLayers = 256, mostManifests = 1'024;

// What names a blob or a manifest.
struct Descriptor {
  std::string mediaType, digest, artifactType;
  std::uint64_t size = 0;
  std::string platform; // "linux/amd64"; "" when it says none
  std::map<std::string, std::string> annotations;
};

struct Manifest {
  bool isIndex = false;
  std::string artifactType;
  std::map<std::string, std::string> annotations;
  std::vector<Descriptor> manifests; // of an index, in its order
  Descriptor config;                 // these two: of a manifest
  std::vector<Descriptor> layers;    // the lowest first
};

// The values of Accept for what readManifest() reads.
extern const char *const acceptedManifests;

// `mediaType` is what the answer's head says; where the document says another one, that counts.
// Throws ContentError: what is no JSON object, of another kind, without the members of its kind,
// with digests that cannot be verified or sizes that are none, or with more than the limits.
Manifest readManifest(std::string_view text, std::string_view mediaType);

// How the content of a layer is to be read.
enum class LayerKind : std::uint8_t { tar, file, other };
// A tar archive by its media type, packed by gzip, zstd or not at all; a file when it is none and
// has a title, which is its path; else nothing that could be skills.
LayerKind kindOf(const Descriptor &layer);
extern const char *const titleAnnotation;

// Does the configuration of a manifest hold labels?
bool isImageConfiguration(const Descriptor &config);
// `config.Labels` of an image configuration; none where there are none. Throws ContentError.
std::map<std::string, std::string> readLabels(std::string_view text);

// The answer of /v2/NAME/tags/list: those that are tags. Throws ContentError.
std::vector<std::string> readTags(std::string_view text);
// The first of the errors in the body of a refusal, "CODE, message", as far as it can be shown; ""
// when there is none.
std::string readComplaint(std::string_view text);
// The target of `Link: <…>; rel="next"`; "" when there is none.
std::string nextLink(std::string_view header);

// Of an index: those that may hold what is looked for, the best first. linux/amd64 stands alone
// where it is there; attestations are left out.
std::vector<Descriptor> candidates(const Manifest &index);

} // namespace skillhost::oci
