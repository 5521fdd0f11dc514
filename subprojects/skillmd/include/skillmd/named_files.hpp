// SPDX-License-Identifier: Apache-2.0
// Tells which files of a skill its text names. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Returns for each path whether the text has the name of the file, whatever folder stands before
// it. Goes over the text once, however many files there are: `steps` counts down what that takes.
// When no steps are left, names that were not met by then count as not named.
std::vector<bool> namedFiles(const std::vector<std::string> &paths, std::string_view text,
                             std::size_t &steps);

} // namespace skillhost
