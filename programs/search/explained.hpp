// SPDX-License-Identifier: Apache-2.0
// What a search plugin says of a hit, as skillhost/explain.h has it, for people.
#pragma once

#include "ground/json.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// One line each, none of them indented. What has another form than it should is shown as JSON.
std::vector<std::string> explainedLines(const Json &explanation);

} // namespace skillhost::app
