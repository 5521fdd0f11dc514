// SPDX-License-Identifier: Apache-2.0
// Lists the files of one commit from its trees, without reading the files.
#pragma once

#include "object_store.hpp"

namespace skillhost::github {

enum class EntryKind : std::uint8_t { file, executable, link, submodule, badName };

struct TreeEntry {
  std::string folder, name; // relative to the subpath; the folder is "" at its top
  std::string blob;         // id; of file, executable and link
  EntryKind kind = EntryKind::file;
};

// Returns every entry below `subpath` except the folders themselves, sorted by folder in git's
// order. `root` is the commit or its tree; `commit` is for messages. A folder whose name cannot be
// served is one entry of kind badName. Throws skh::Error: SKH_TOO_LARGE beyond `maxFiles` entries,
// SKH_NOT_FOUND if there is no folder `subpath`, SKH_STALE if a tree is missing, SKH_CORRUPT if one
// is damaged, and what `checkpoint` throws.
std::vector<TreeEntry> readTree(ObjectStore &store, const std::string &root,
                                const std::string &commit, const std::string &subpath,
                                std::size_t maxFiles, const std::function<void()> &checkpoint);

} // namespace skillhost::github
