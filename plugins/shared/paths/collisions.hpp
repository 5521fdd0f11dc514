// SPDX-License-Identifier: Apache-2.0
// Paths that some file system or some reader takes for the same. Wraps utf8proc.
#pragma once

#include <string>
#include <vector>

namespace skillhost::paths {

// The first path, in the order given, that equals an earlier one once case is folded and the text
// is in Unicode's normal form C; "" when all differ. A path that is no UTF-8 collides with nothing.
std::string firstCollision(const std::vector<std::string> &paths);

} // namespace skillhost::paths
