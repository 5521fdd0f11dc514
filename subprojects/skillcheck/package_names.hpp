// SPDX-License-Identifier: Apache-2.0
// Packages that a command installs whose names are one slip off a well-known one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct LookAlikePackage {
  std::string name, meant;
  std::size_t at; // in the line
};

// The first such package on a line with `pip install`, `npm install` or their kin. At most 50 names
// of a line are looked at.
std::optional<LookAlikePackage> findLookAlikePackage(std::string_view line);

// The words that such a line holds, a comma between two.
inline constexpr std::string_view installWords =
    "pip,pipx,uv ,uvx,npm ,pnpm ,yarn ,bun ,npx ,gem ,cargo ,poetry ";

} // namespace skillhost
