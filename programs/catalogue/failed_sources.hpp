// SPDX-License-Identifier: Apache-2.0
// For commands that show skills: none are shown because their sources failed.
#pragma once

#include "skills/catalogue.hpp"

namespace skillhost::app {

// Whether nothing is served because every source failed; stderr is told then of each, and why.
bool reportAllFailed(const Catalogue &catalogue);

} // namespace skillhost::app
