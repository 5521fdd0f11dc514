// SPDX-License-Identifier: Apache-2.0
// The files of a skill, and where a reader finds them.
#pragma once

#include "skillmd/written_path.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct PlacedFiles {
  std::string_view uri;                  // that they are below, without a slash at the end
  std::string_view folder;               // the absolute path that they are below; empty: none
  const std::vector<std::string> &paths; // below both, sorted
  std::string_view entry = "SKILL.md";   // its path, whatever the case of its letters
  SkillNames names{};

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  // The index of a path, or npos. SKILL.md is known by this name, too.
  std::size_t at(std::string_view path) const noexcept;
};

} // namespace skillhost
