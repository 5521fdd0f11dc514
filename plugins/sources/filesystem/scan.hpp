// SPDX-License-Identifier: Apache-2.0
// Builds a snapshot from the present state of the directories.
#pragma once

#include "checkpoint.hpp"
#include "snapshot.hpp"
#include "watches.hpp"

namespace skillhost::filesystem {

// `previous` is the previous snapshot or nullptr. Certain knowledge about unchanged files is taken
// from it. Only one scan at a time may use `watches`. Throws what the checkpoint throws, and
// skh::Error (SKH_TOO_LARGE, SKH_UNAVAILABLE).
SnapshotPointer scan(const Settings &settings, const Snapshot *previous, Watches &watches,
                     Warnings &warnings, const Checkpoint &checkpoint,
                     const FolderProgress &seen = {});

// Returns the same snapshot as a scan would, if since `previous` only files directly in the folders
// at `places` have changed: it only visits the skills there. Returns nullptr if a scan is needed,
// because other skills may have changed as well.
SnapshotPointer scanPart(const Settings &settings, const SnapshotPointer &previous,
                         const std::set<Place> &places, Watches &watches, Warnings &warnings,
                         const Checkpoint &checkpoint);

} // namespace skillhost::filesystem
