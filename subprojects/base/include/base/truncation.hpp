// SPDX-License-Identifier: Apache-2.0
// Cuts texts and marks them as cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::string_view truncationMark = "... [truncated]";
// Cuts `text` to at most `characters` characters, including the mark. Returns true if it was cut.
bool truncate(std::string &text, std::size_t characters);

} // namespace skillhost
