// SPDX-License-Identifier: Apache-2.0
// For commands that show skills: reports which sources failed.
#pragma once

#include "skills/catalogue.hpp"

namespace skillhost::app {

// Returns true if a source failed, and prints each that did, with its reason, to stderr. The
// skills of the other sources are in the catalogue.
bool reportFailed(const Catalogue &catalogue);

// Returns true if nothing is served because every source failed, and then prints each source and
// its reason to stderr.
bool reportAllFailed(const Catalogue &catalogue);

} // namespace skillhost::app
