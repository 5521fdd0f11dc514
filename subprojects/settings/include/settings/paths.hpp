// SPDX-License-Identifier: Apache-2.0
// Paths as people write them.
#pragma once

#include "settings/environment.hpp"

#include <string>
#include <string_view>

namespace skillhost::app {

// Absolute and without "." and "..": `~` is HOME, a relative path begins at `folder`. Touches no
// file.
std::string absolutePath(std::string_view path, std::string_view folder,
                         const Environment &surroundings);

// Do links lead from this path to outside the folder? Of a path that is not there, what is there of
// it counts; a link that leads nowhere leads out.
bool leadsOutOf(const std::string &path, const std::string &folder);

// Does the text say by its beginning that it is a path: "~", ".", "..", "~/", "./" or "../"?
bool looksLikePath(std::string_view text) noexcept;

} // namespace skillhost::app
