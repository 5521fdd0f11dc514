// SPDX-License-Identifier: Apache-2.0
// skillhost search: what an agent would be told, why, and how well skills are found.
#pragma once

#include "catalogue_invocation.hpp"

#include <string>

namespace skillhost::app {

int searchSkills(const CatalogueInvocation &invocation, const std::string &executable);

} // namespace skillhost::app
