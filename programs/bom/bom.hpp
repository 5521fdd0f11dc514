// SPDX-License-Identifier: Apache-2.0
// skillhost bom [--json [--files]]: a bill of the materials that are served.
#pragma once

#include "catalogue_invocation.hpp"

#include <string>

namespace skillhost::app {

// 1 when something of it is missing: a source failed, or the files of a skill cannot be read.
int printBom(const CatalogueInvocation &invocation, const Surroundings &surroundings);

} // namespace skillhost::app
