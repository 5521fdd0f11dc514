// SPDX-License-Identifier: Apache-2.0
// Checks JSON texts of a plugin.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::check {

// Returns the reason why `text` is not one JSON object; empty if it is.
std::string faultInObject(std::string_view text);

} // namespace skillhost::check
