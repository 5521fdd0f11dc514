// SPDX-License-Identifier: Apache-2.0
// What names may appear in an id or a path of a document, and how the others are shown.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::paths {

// Valid UTF-8 without control characters and backslashes.
bool servable(std::string_view name) noexcept;

// For the log: what is not printable is shown as \xNN.
std::string printable(std::string_view name);

// True for SKILL.md in any case of its letters.
bool namesEntry(std::string_view name) noexcept;

// `folder`/`name`, or `name` alone when the folder is "".
std::string joined(std::string_view folder, std::string_view name);

} // namespace skillhost::paths
