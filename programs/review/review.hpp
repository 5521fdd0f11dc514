// SPDX-License-Identifier: Apache-2.0
// `skillhost review`: what waits for a decision, and the decisions. Needs no running server; one
// that runs notices the changed file.
#pragma once

#include "catalogue_invocation.hpp"

#include <string>

namespace skillhost::app {

// The exit code: 1 when a source cannot be asked, there is no such skill, or nothing was written.
int reviewSkills(const CatalogueInvocation &invocation, const std::string &executable);

} // namespace skillhost::app
