// SPDX-License-Identifier: Apache-2.0
// The snapshot that was served last, with the bytes of its SKILL.md files, as one file of the
// cache: a start then looks through no tree and inflates nothing.
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
  std::vector<std::string> findings; // what was said when it was made
  EntryTexts::Texts entries;
};

// `layout` is what decides, beside the commits in its id, what a snapshot holds. Nothing when there
// is no such file, or it is of another snapshot, layout or version, half-written or damaged.
std::optional<KeptSnapshot> readKeptSnapshot(const std::string &path, const std::string &id,
                                             const std::string &layout);

// The bytes of a blob of the repository. Throws skh::Error.
using BlobReader = std::function<std::string(const Origin &, const std::string &blob)>;

// Reads the entries. Throws skh::Error: of the disk SKH_UNAVAILABLE, what `read` and `checkpoint`
// throw. Nothing is written when it would be more than 256 MiB.
void writeKeptSnapshot(const std::string &path, const std::string &layout, const Snapshot &snapshot,
                       const std::vector<std::string> &findings, const BlobReader &read,
                       const std::function<void()> &checkpoint);

} // namespace skillhost::github
