// SPDX-License-Identifier: Apache-2.0
// What a skill may be called, by each of those who serve it; and how long its texts are to others.
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

// The rule of the skills extension that `name` breaks, in words; empty when it breaks none.
std::string_view brokenNameRule(std::string_view name) noexcept;
// True for 1 to 99 letters of ASCII, digits, hyphens and underscores.
bool keepsBasicNameRule(std::string_view name) noexcept;
// UTF-16 units of valid UTF-8: what clients in JavaScript count.
std::size_t countUtf16(std::string_view text) noexcept;

} // namespace skillhost
