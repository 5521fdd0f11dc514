// SPDX-License-Identifier: Apache-2.0
// The rules for a skill's name by each kind of server, and the length of texts as clients count it.
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

// Returns the rule of the skills extension that `name` breaks, in words; empty if it breaks none.
std::string_view brokenNameRule(std::string_view name) noexcept;
// Returns true for 1 to 99 ASCII letters, digits, hyphens and underscores.
bool keepsBasicNameRule(std::string_view name) noexcept;
// Counts the UTF-16 units of valid UTF-8, as clients in JavaScript do.
std::size_t countUtf16(std::string_view text) noexcept;

} // namespace skillhost
