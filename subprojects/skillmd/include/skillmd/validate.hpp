// SPDX-License-Identifier: Apache-2.0
// Reports the faults in the form of one document, for its author.
#pragma once

#include "skillmd/assessment.hpp"

#include <string_view>
#include <vector>

namespace skillhost {

// Returns the findings in the order of the document. With an error among them, the skill is not
// served.
std::vector<Finding> validateDocument(std::string_view document, std::string_view file,
                                      std::string_view folderName, Strictness strictness);

} // namespace skillhost
