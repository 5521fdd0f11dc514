// SPDX-License-Identifier: Apache-2.0
// The files of one commit, read from its trees alone.
#pragma once

#include "object_store.hpp"

namespace skillhost::github {

enum class EntryKind : std::uint8_t { file, executable, link, submodule, badName };

struct TreeEntry {
  std::string folder, name; // relative to the subpath; the folder is "" at its top
  std::string blob;         // of file, executable and link
  EntryKind kind = EntryKind::file;
};

// Every entry below `subpath` but the folders themselves, by folder in git's order. `root` is the
// commit or its tree; `commit` is for messages. A folder whose name may not be served is one entry
// of kind badName. Throws skh::Error: SKH_TOO_LARGE beyond `maxFiles` entries, SKH_NOT_FOUND when
// there is no folder `subpath`, SKH_STALE when a tree is missing, SKH_CORRUPT when one is damaged,
// and what `checkpoint` throws.
std::vector<TreeEntry> readTree(ObjectStore &store, const std::string &root,
                                const std::string &commit, const std::string &subpath,
                                std::size_t maxFiles, const std::function<void()> &checkpoint);

} // namespace skillhost::github
