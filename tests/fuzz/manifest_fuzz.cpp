// SPDX-License-Identifier: Apache-2.0
// Any bytes as the manifest of a shared source: nothing crashes or throws, and what was read is
// written so that it is read as the same.
#include "sharing/manifest.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace skillhost;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const auto manifest = readManifest({reinterpret_cast<const char *>(data), size});
  if (!manifest) return 0;
  require(manifest->objects.size() == manifest->snapshot.documents.size());
  const std::string text = manifestText(*manifest);
  const auto again = readManifest(text);
  require(static_cast<bool>(again));
  require(again->number == manifest->number && again->objects == manifest->objects);
  require(again->snapshot.revision == manifest->snapshot.revision &&
          again->snapshot.documents == manifest->snapshot.documents &&
          again->snapshot.facts == manifest->snapshot.facts);
  require(manifestText(*again) == text);
  return 0;
}
