// SPDX-License-Identifier: Apache-2.0
// Finds the files of a skill that its text names. May be called on any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Returns for each path whether the text contains the name of the file, behind any folder. Reads
// the text once, however many files there are. `steps` counts down the work. If no steps are left,
// names not found by then count as not named.
std::vector<bool> namedFiles(const std::vector<std::string> &paths, std::string_view text,
                             std::size_t &steps);

} // namespace skillhost
