// SPDX-License-Identifier: Apache-2.0
// Compares secrets and values derived from them.
#pragma once

#include <string_view>

namespace skillhost {

// Takes a time that depends only on the lengths.
bool equalInConstantTime(std::string_view left, std::string_view right) noexcept;

} // namespace skillhost
