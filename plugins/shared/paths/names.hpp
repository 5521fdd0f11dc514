// SPDX-License-Identifier: Apache-2.0
// Decides which names may be part of an id or a document's path, and makes other names printable.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::paths {

// True for valid UTF-8 without control characters and backslashes.
bool servable(std::string_view name) noexcept;

// True for a servable path without empty, "." or ".." segments.
bool servableBelow(std::string_view path);

// Replaces unprintable bytes with \xNN, for the log.
std::string printable(std::string_view name);

// True for SKILL.md in any case of its letters.
bool namesEntry(std::string_view name) noexcept;

// Returns `folder`/`name`, or only `name` if the folder is "".
std::string joined(std::string_view folder, std::string_view name);

} // namespace skillhost::paths
