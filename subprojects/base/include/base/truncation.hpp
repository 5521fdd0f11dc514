// SPDX-License-Identifier: Apache-2.0
// How a text that was cut says so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::string_view truncationMark = "... [truncated]";
// Cuts `text` to at most `characters` characters, the mark included; true when it did.
bool truncate(std::string &text, std::size_t characters);

} // namespace skillhost
