// SPDX-License-Identifier: Apache-2.0
// Chooses the segments to merge. Few segments make a query fast, but a large segment is rewritten
// rarely.
#pragma once

#include "snapshot.hpp"

#include <vector>

namespace skillhost::keyword {

// Returns positions in `segments`; empty if no merge is due.
std::vector<std::size_t> segmentsToMerge(const std::vector<SegmentView> &segments);

} // namespace skillhost::keyword
