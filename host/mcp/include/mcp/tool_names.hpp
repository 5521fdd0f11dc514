// SPDX-License-Identifier: Apache-2.0
// Names the tools that the server has without any feature, for settings that refer to one.
#pragma once

#include <string>
#include <vector>

namespace skillhost {

// Returns the names in the order of the list, including tools that not every caller is offered.
std::vector<std::string> toolNames();

} // namespace skillhost
