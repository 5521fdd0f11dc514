// SPDX-License-Identifier: Apache-2.0
// The position of what is not there.
#pragma once

#include <string_view>

namespace skillhost {

inline constexpr auto npos = std::string_view::npos;

} // namespace skillhost
