// SPDX-License-Identifier: Apache-2.0
// `skillhost model check`.
#pragma once

#include <string>

namespace skillhost::model {

// Reads the folder as the plugin hybrid does, and prints what it is, or every fault that is found.
// `instructions` as for embedding::kernelsCalled(). Returns the exit code.
int checkFolder(const std::string &folder, const std::string &instructions, bool json);

} // namespace skillhost::model
