// SPDX-License-Identifier: Apache-2.0
// skillhost plugins: what there is, what is used, and why something is not.
#pragma once

#include "catalogue_invocation.hpp"

#include <string>

namespace skillhost::app {

int showPlugins(const CatalogueInvocation &invocation, const std::string &executable);

} // namespace skillhost::app
