// SPDX-License-Identifier: Apache-2.0
// Tells which figures only a caller who sees all skills may have.
#pragma once

#include "base/metrics.hpp"

namespace skillhost {

// True if the series counts skills, or calls that may be about one, or names where skills come
// from. `skillhost://usage` tells every manager what was done with the skills that they see: a sum
// over all skills beside it would give away what was done with the others.
bool countsHiddenSkills(const metrics::SeriesName &name);

} // namespace skillhost
