// SPDX-License-Identifier: Apache-2.0
// Comparing secrets, and what is derived from them.
#pragma once

#include <string_view>

namespace skillhost {

// In a time that depends on the lengths alone.
bool equalInConstantTime(std::string_view left, std::string_view right) noexcept;

} // namespace skillhost
