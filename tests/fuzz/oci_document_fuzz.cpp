// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a document of a registry; the first byte selects the kind. Reading ends, and
// the accepted parts keep the rules.
#include "oci/challenge.hpp"
#include "oci/credentials.hpp"
#include "oci/digest.hpp"
#include "oci/manifest.hpp"
#include "oci/reference.hpp"

#include <cstdint>
#include <cstdlib>

using namespace skillhost::oci;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void readOneManifest(const std::string &text) {
  for (const char *const type :
       {"application/vnd.oci.image.index.v1+json", "application/vnd.oci.image.manifest.v1+json"}) {
    const Manifest manifest = readManifest(text, type);
    require(manifest.layers.size() <= maxLayers && manifest.manifests.size() <= maxManifests);
    for (const Descriptor &one : manifest.layers) {
      require(isDigest(one.digest));
      if (kindOf(one) == LayerKind::file) require(one.annotations.contains(titleAnnotation));
    }
    for (const Descriptor &one : candidates(manifest)) require(isDigest(one.digest));
  }
}

void readOneReference(const std::string &text) {
  const auto read = readReference(text);
  if (!read) return;
  require(read->repository.find("..") == std::string::npos && read->repository.front() != '/');
  require(!read->manifest().empty() && read->manifest().find('/') == std::string::npos);
  const auto again = readReference(read->text());
  require(again && *again == *read);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);
  try {
    switch (data[0] % 7) {
    case 0:
      readOneManifest(text);
      break;
    case 1:
      readLabels(text);
      break;
    case 2:
      for (const std::string &tag : readTags(text)) require(isTag(tag));
      break;
    case 3:
      readOneReference(text);
      break;
    case 4:
      require(readChallenge(text).scheme != Scheme::bearer || !readChallenge(text).realm.empty());
      break;
    case 5:
      if (const auto token = readToken(text)) require(token->text.find('\n') == std::string::npos);
      nextLink(text);
      break;
    default:
      require(loginFrom(text, "a.b", "c/d", {{"pass"}, "helpers"}).credentials.secret.find('\n') ==
              std::string::npos);
    }
  } catch (const std::runtime_error &) {}
  return 0;
}
