// SPDX-License-Identifier: Apache-2.0
// Names of files for things that strangers have named.
#pragma once

#include <string>
#include <vector>

namespace skillhost {

// Whether a name is one word; what is not could be a sentence, and names no file and no type.
bool isWord(const std::string &name);

// In step with `names`, without an ending: letters, digits, '.', '_' and '-' as they are, '/' and
// ':' as '_', and "tool" for a name that holds anything else. Where that is not the name itself,
// would differ from another in case alone, or means more than a file (a device, SKILL.md), a digest
// of the name follows: what a name becomes depends on the set of names, not on their order.
std::vector<std::string> fileNames(const std::vector<std::string> &names);

} // namespace skillhost
