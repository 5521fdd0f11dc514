// SPDX-License-Identifier: Apache-2.0
// The layers of an image, from strangers: tar archives (plain, gzip or zstd) of which each changes
// what the ones below it hold (OCI's image specification, "layer"). First the names are listed,
// then the files that are wanted are read: an image may hold a whole system, of which few files
// count.
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
  std::string_view bytes;   // of the archive, or of the one file where there is a title
  std::string_view title{}; // its path
};
struct LayerLimits {
  std::size_t entries = 0; // of all layers together
  std::uint64_t bytes = 0; // of all layers once they are unpacked
  std::uint64_t ratio = 0; // unpacked bytes for one that is packed, beyond the first MiB
  // Called for every entry, and may throw to end it. May be empty.
  std::function<void()> checkpoint{};
};

// A file with holes is an `other`: a few bytes of an archive would be any number of its own.
enum class LayeredKind : std::uint8_t { file, link, other };
struct LayeredEntry {
  LayeredKind kind = LayeredKind::file;
  std::size_t layer = 0;  // which of them it is in
  std::uint64_t size = 0; // of a file, as the archive says it
  bool executable = false;
  std::string target; // of a link: a path within the image; "" when it leads out of it
};
using LayeredTree = std::map<std::string, LayeredEntry, std::less<>>; // by path; without folders

// What is there when the layers, the lowest first, have been laid over each other: with ".wh.NAME"
// goes NAME of the layers below, with ".wh..wh..opq" all that they have in that folder. Links are
// told, not followed. Throws std::runtime_error, which names the entry or the limit, for a path
// that is absolute, has empty, "." (but at its beginning) or ".." segments, more than 4,096 bytes
// or more than 128 segments, for a file that is twice in one layer, for more than the limits, and
// for an archive that is damaged or compressed more than once. Any thread.
LayeredTree listLayers(const std::vector<Layer> &layers, const LayerLimits &limits);

// The bytes of those files of the tree, by path. Throws as listLayers() does. Any thread.
std::map<std::string, std::string> readLayered(const std::vector<Layer> &layers,
                                               const LayeredTree &tree,
                                               const std::set<std::string> &wanted,
                                               const LayerLimits &limits);

} // namespace skillhost::archive
