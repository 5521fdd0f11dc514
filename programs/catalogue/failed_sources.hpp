// SPDX-License-Identifier: Apache-2.0
// For commands that show skills: reports that there are none because their sources failed.
#pragma once

#include "skills/catalogue.hpp"

namespace skillhost::app {

// Returns true if nothing is served because every source failed, and then prints each source and
// its reason to stderr.
bool reportAllFailed(const Catalogue &catalogue);

} // namespace skillhost::app
