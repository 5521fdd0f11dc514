// SPDX-License-Identifier: Apache-2.0
// Implements `skillhost model list`.
#pragma once

#include <string>
#include <vector>

namespace skillhost::model {

// Prints the models in these places, and those in `folders`, which must exist. Says which of the
// first the search plugin uses without a setting. Returns the exit code: 1 if a model is damaged or
// missing, or a place cannot be read.
int listModels(const std::vector<std::string> &places, const std::vector<std::string> &folders,
               bool json);

} // namespace skillhost::model
