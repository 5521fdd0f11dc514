// SPDX-License-Identifier: Apache-2.0
// Reads the layers of an image, written by strangers: tar archives (plain, gzip or zstd), each of
// which changes the content of those below (OCI's image specification, "layer"). The names are
// listed first, and then only the wanted files are read, because an image may hold a whole system
// of which few files matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::archive {

struct Layer {
  std::string_view bytes;   // the archive, or a single file if there is a title
  std::string_view title{}; // path of the single file
};
struct LayerLimits {
  std::size_t entries = 0; // limit of all layers together
  std::uint64_t bytes = 0; // limit of all layers, unpacked
  std::uint64_t ratio = 0; // unpacked bytes per packed byte, beyond the first MiB
  // Called for every entry; may throw to stop. May be empty.
  std::function<void()> checkpoint{};
};

// A sparse file is `other`, because a few bytes of an archive would give any number of bytes.
enum class LayeredKind : std::uint8_t { file, link, other };
struct LayeredEntry {
  LayeredKind kind = LayeredKind::file;
  std::size_t layer = 0;  // index of its layer
  std::uint64_t size = 0; // only for a file, as stated in the archive
  bool executable = false;
  std::string target; // only for a link: a path within the image; "" if it leads out of it
};
using LayeredTree = std::map<std::string, LayeredEntry, std::less<>>; // by path; without folders

// Lists the files after all layers, the lowest first, are applied. ".wh.NAME" removes NAME of the
// layers below, and ".wh..wh..opq" removes everything that they have in that folder. Links are
// listed, not followed. Throws std::runtime_error that names the entry or the limit: for a path
// that is absolute, has empty, "." (except at its beginning) or ".." segments, more than 4,096
// bytes or more than 128 segments; for a file that occurs twice in a layer; if a limit is exceeded;
// and for an archive that is damaged or compressed more than once. Any thread may call it.
LayeredTree listLayers(const std::vector<Layer> &layers, const LayerLimits &limits);

// Returns the bytes of the wanted files by path. Throws as listLayers() does. Any thread may call
// it.
std::map<std::string, std::string> readLayered(const std::vector<Layer> &layers,
                                               const LayeredTree &tree,
                                               const std::set<std::string> &wanted,
                                               const LayerLimits &limits);

} // namespace skillhost::archive
