// SPDX-License-Identifier: Apache-2.0
// Sends snapshots to the sinks of the host.
#pragma once

#include "checkpoint.hpp"
#include "snapshot.hpp"

#include <skillhost/plugin.hpp>

namespace skillhost::filesystem {

// Sends every document. These functions throw skh::Error with the sink's status if the sink
// refuses.
void emitAll(const Snapshot &snapshot, const skh::Documents &out, const Checkpoint &checkpoint);

// Sends what must be put and removed to get from `before` to `after`.
void emitDifference(const Snapshot &before, const Snapshot &after, const skh::Documents &out,
                    const Checkpoint &checkpoint);

// Sends the bytes that the document's revision names. Throws skh::Error: SKH_STALE if they are
// gone, SKH_DENIED if the file may not be read, SKH_UNAVAILABLE if too many files are open.
void emitContent(const FoundDocument &found, const skh::Bytes &out, const Checkpoint &checkpoint);

} // namespace skillhost::filesystem
