// SPDX-License-Identifier: Apache-2.0
// Implements `skillhost model list`.
#pragma once

#include <string>
#include <vector>

namespace skillhost::model {

// Prints the content of each folder in `models`, and of those in `folders`, which must exist.
// Returns the exit code: 1 if one is damaged or missing.
int listModels(const std::string &models, const std::vector<std::string> &folders, bool json);

} // namespace skillhost::model
