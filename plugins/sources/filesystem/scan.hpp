// SPDX-License-Identifier: Apache-2.0
// From the directories as they are now to a snapshot.
#pragma once

#include "checkpoint.hpp"
#include "snapshot.hpp"
#include "watches.hpp"

namespace skillhost::filesystem {

// `previous` is the snapshot before, or nullptr: what it knows for certain about files that are
// still the same is taken over. One scan at a time for each `watches`.
// Throws what the checkpoint throws, and skh::Error (SKH_TOO_LARGE, SKH_UNAVAILABLE).
SnapshotPointer scan(const Settings &settings, const Snapshot *previous, Watches &watches,
                     Warnings &warnings, const Checkpoint &checkpoint,
                     const FoldersSeen &seen = {});

// As a scan now would find it, `previous` being the last one, when nothing but files directly in
// the folders at `places` can have changed since: only the skills there are looked at. nullptr when
// a scan has to find it out, since other skills may be others too.
SnapshotPointer scanPart(const Settings &settings, const SnapshotPointer &previous,
                         const std::set<Place> &places, Watches &watches, Warnings &warnings,
                         const Checkpoint &checkpoint);

} // namespace skillhost::filesystem
