// SPDX-License-Identifier: Apache-2.0
// Shows people a search plugin's explanation of a hit, in the form of skillhost/explain.h.
#pragma once

#include "ground/json.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Returns one line each, not indented. Members with an unexpected form are shown as JSON.
std::vector<std::string> explainedLines(const Json &explanation);

} // namespace skillhost::app
