// SPDX-License-Identifier: Apache-2.0
// `skillhost model list`.
#pragma once

#include <string>
#include <vector>

namespace skillhost::model {

// Prints what lies in each folder of `models`, and in `folders`, which must be there. Returns the
// exit code: 1 when one is damaged or missing.
int listModels(const std::string &models, const std::vector<std::string> &folders, bool json);

} // namespace skillhost::model
