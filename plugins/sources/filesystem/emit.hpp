// SPDX-License-Identifier: Apache-2.0
// From snapshots to the sinks of the host.
#pragma once

#include "checkpoint.hpp"
#include "snapshot.hpp"

#include <skillhost/plugin.hpp>

namespace skillhost::filesystem {

// Every document. These throw skh::Error with the sink's status when the sink refuses.
void emitAll(const Snapshot &snapshot, const skh::Documents &out, const Checkpoint &checkpoint);

// What has to be put and removed to come from `before` to `after`.
void emitDifference(const Snapshot &before, const Snapshot &after, const skh::Documents &out,
                    const Checkpoint &checkpoint);

// The bytes that the document's revision names, or skh::Error: SKH_STALE when they are gone,
// SKH_DENIED when the file may not be read, SKH_UNAVAILABLE when too many files are open.
void emitContent(const FoundDocument &found, const skh::Bytes &out, const Checkpoint &checkpoint);

} // namespace skillhost::filesystem
