// SPDX-License-Identifier: Apache-2.0
// Makes file names for things that strangers have named.
#pragma once

#include <string>
#include <vector>

namespace skillhost {

// Returns true if a name is a single word. Any other name could be a sentence, so no file or type
// is named after it.
bool isWord(const std::string &name);

// Returns a file name without extension for each of `names`: letters, digits, '.', '_' and '-'
// stay, '/' and ':' become '_', and a name with any other character becomes "tool". If the result
// differs from the name, differs from another one only in case, or has a special meaning (a device,
// SKILL.md), a digest of the name follows. The result depends on the set of names, but not on their
// order.
std::vector<std::string> fileNames(const std::vector<std::string> &names);

} // namespace skillhost
