// SPDX-License-Identifier: Apache-2.0
// Which segments are to become one: few of them make a query fast, and the larger one is the less
// often it is written again.
#pragma once

#include "snapshot.hpp"

#include <vector>

namespace skillhost::keyword {

// Numbers in `segments`; empty: none need to.
std::vector<std::size_t> segmentsToMerge(const std::vector<SegmentView> &segments);

} // namespace skillhost::keyword
