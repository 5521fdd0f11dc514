// SPDX-License-Identifier: Apache-2.0
// skillhost usage: the figures that servers have recorded. Needs no running server, and disturbs
// none.
#pragma once

#include "catalogue_invocation.hpp"

#include <string>

namespace skillhost::app {

// Exit code 1 when there is no file, or it cannot be read.
int showUsage(const CatalogueInvocation &invocation, const std::string &executable);

} // namespace skillhost::app
