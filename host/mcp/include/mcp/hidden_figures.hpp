// SPDX-License-Identifier: Apache-2.0
// Decides which metrics only a caller who sees all skills may get.
#pragma once

#include "base/metrics.hpp"

namespace skillhost {

// True if the series counts skills, or calls that may be about one, or names the places of skills.
// `skillhost://usage` shows every manager the use of the skills that they see: a sum over all
// skills beside it would reveal the use of the others.
bool countsHiddenSkills(const metrics::SeriesName &name);

} // namespace skillhost
