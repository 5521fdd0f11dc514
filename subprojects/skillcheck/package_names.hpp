// SPDX-License-Identifier: Apache-2.0
// Finds packages in an install command whose names are one slip away from a well-known one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct LookAlikePackage {
  std::string name, meant;
  std::size_t at; // position in the line
};

// Returns the first such package on a line with `pip install`, `npm install` or the like. Looks at
// no more than 50 names of a line.
std::optional<LookAlikePackage> findLookAlikePackage(std::string_view line);

// One of these words, separated by commas, is on every such line.
inline constexpr std::string_view installWords =
    "pip,pipx,uv ,uvx,npm ,pnpm ,yarn ,bun ,npx ,gem ,cargo ,poetry ";

} // namespace skillhost
