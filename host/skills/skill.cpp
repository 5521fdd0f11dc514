// SPDX-License-Identifier: Apache-2.0
#include "skills/skill.hpp"

#include <algorithm>

namespace skillhost {

std::size_t Skill::fileAt(std::string_view wanted) const noexcept {
  const auto found = std::lower_bound(filePaths.begin(), filePaths.end(), wanted);
  if (found == filePaths.end() || *found != wanted) return npos;
  return static_cast<std::size_t>(found - filePaths.begin());
}

} // namespace skillhost
