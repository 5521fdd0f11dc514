// SPDX-License-Identifier: Apache-2.0
// Reads paths as people write them.
#pragma once

#include "settings/environment.hpp"

#include <string>
#include <string_view>

namespace skillhost::settings {

// Returns the path as an absolute one without "." and "..". `~` is HOME, and a relative path begins
// at `folder`. Accesses no file.
std::string absolutePath(std::string_view path, std::string_view folder,
                         const Environment &surroundings);

// Returns what to print behind a path of a folder that cannot be used because it is not UTF-8, such
// as ": is not UTF-8: …". Empty: the path is UTF-8.
std::string problemUnlessUtf8(std::string_view path);

// True if the path leads out of the folder through links. If the path does not exist, the existing
// part of it counts. A link with a missing target leads out.
bool leadsOutOf(const std::string &path, const std::string &folder);

// True if the text is "~", "." or "..", or begins with "~/", "./" or "../".
bool looksLikePath(std::string_view text) noexcept;

} // namespace skillhost::settings
