// SPDX-License-Identifier: Apache-2.0
// The files of a skill, with the places where a reader finds them.
#pragma once

#include "skillmd/written_path.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct PlacedFiles {
  std::string_view uri;                  // URI that contains the files, without a slash at the end
  std::string_view folder;               // absolute path that contains the files; empty: none
  const std::vector<std::string> &paths; // paths below both, sorted
  std::string_view entry = "SKILL.md";   // path of SKILL.md, which may be in any case
  SkillNames names{};

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  // Returns the index of a path, or npos. SKILL.md is found by this name, too.
  std::size_t at(std::string_view path) const noexcept;
};

} // namespace skillhost
