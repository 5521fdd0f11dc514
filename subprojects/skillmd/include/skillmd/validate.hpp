// SPDX-License-Identifier: Apache-2.0
// What there is to say about the form of one document, for its author.
#pragma once

#include "skillmd/assessment.hpp"

#include <string_view>
#include <vector>

namespace skillhost {

// In the order of the document. An error among them means that the skill is not served.
std::vector<Finding> validateDocument(std::string_view document, std::string_view file,
                                      std::string_view folderName, Strictness strictness);

} // namespace skillhost
