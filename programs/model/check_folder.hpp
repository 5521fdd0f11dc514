// SPDX-License-Identifier: Apache-2.0
// Implements `skillhost model check`.
#pragma once

#include <string>

namespace skillhost::model {

// Reads the folder as the plugin hybrid does, and prints its description, or every fault.
// `instructions`: see embedding::kernelsCalled(). Returns the exit code.
int checkFolder(const std::string &folder, const std::string &instructions, bool json);

} // namespace skillhost::model
