// SPDX-License-Identifier: Apache-2.0
// skillhost search --evaluate: how well the skills are found that people name for their questions.
#pragma once

#include "catalogue_invocation.hpp"

#include <string>

namespace skillhost::app {

int evaluateSearch(const CatalogueInvocation &invocation, const std::string &executable);

} // namespace skillhost::app
