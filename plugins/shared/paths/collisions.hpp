// SPDX-License-Identifier: Apache-2.0
// Finds paths that some file system or reader takes for the same. Wraps utf8proc.
#pragma once

#include <string>
#include <vector>

namespace skillhost::paths {

// Returns the first path, in the given order, that equals an earlier one after case folding and
// normalisation (Unicode NFC); "" if all differ. A path that is not UTF-8 collides with none.
std::string firstCollision(const std::vector<std::string> &paths);

} // namespace skillhost::paths
