// SPDX-License-Identifier: Apache-2.0
#include "skillmd/placed_files.hpp"

#include <algorithm>

namespace skillhost {

std::size_t PlacedFiles::at(std::string_view path) const noexcept {
  const auto found = std::lower_bound(paths.begin(), paths.end(), path);
  if (found != paths.end() && *found == path)
    return static_cast<std::size_t>(found - paths.begin());
  return path == "SKILL.md" && entry != path ? at(entry) : npos;
}

} // namespace skillhost
