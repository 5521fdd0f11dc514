// SPDX-License-Identifier: Apache-2.0
// skillhost search --evaluate measures how well search finds the skills that people name for their
// questions.
#pragma once

#include "search_options.hpp"

#include <string>

namespace skillhost::app {

int evaluateSearch(const SearchInvocation &search, const Configuration &configuration,
                   const std::string &executable, bool json);

} // namespace skillhost::app
