// SPDX-License-Identifier: Apache-2.0
// Keeps the last served snapshot with the texts of its SKILL.md files in one file of the cache. A
// start then does not need to read trees or inflate blobs.
#pragma once

#include "entry_texts.hpp"
#include "snapshot.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::github {

struct KeptSnapshot {
  SnapshotPointer snapshot;
  std::vector<std::string> findings; // messages about skills left out of the snapshot
  EntryTexts::Texts entries;
};

// `layout` represents everything besides the commits that determines the content of a snapshot.
// Returns nothing if there is no such file, or if it has another snapshot, layout or version, is
// incomplete or damaged.
std::optional<KeptSnapshot> readKeptSnapshot(const std::string &path, const std::string &id,
                                             const std::string &layout);

// Returns the bytes of a blob of the origin's repository. Throws skh::Error.
using BlobReader = std::function<std::string(const Origin &, const std::string &blob)>;

// Reads the entries with `read` and writes the file. Throws skh::Error(SKH_UNAVAILABLE) if the disk
// refuses, and what `read` and `checkpoint` throw. Writes nothing if the file would be larger than
// 256 MiB.
void writeKeptSnapshot(const std::string &path, const std::string &layout, const Snapshot &snapshot,
                       const std::vector<std::string> &findings, const BlobReader &read,
                       const std::function<void()> &checkpoint);

} // namespace skillhost::github
