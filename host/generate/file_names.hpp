// SPDX-License-Identifier: Apache-2.0
// Names of files for things that strangers have named.
#pragma once

#include <string>
#include <vector>

namespace skillhost {

// In step with `names`, without an ending: letters, digits, '.', '_' and '-' as they are, all else
// '_'. Where that is not the name itself, or would differ from another in case alone, a digest of
// the name follows: what a name becomes depends on the set of names, not on their order.
std::vector<std::string> fileNames(const std::vector<std::string> &names);

} // namespace skillhost
