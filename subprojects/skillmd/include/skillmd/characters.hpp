// SPDX-License-Identifier: Apache-2.0
// Tests of single characters that ignore the locale.
#pragma once

#include <string_view>

namespace skillhost {

inline constexpr auto npos = std::string_view::npos;

constexpr bool digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

} // namespace skillhost
