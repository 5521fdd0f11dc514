// SPDX-License-Identifier: Apache-2.0
// JSON that a plugin hands over as text.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::check {

// Empty when `text` is one JSON object; else why it is not.
std::string faultInObject(std::string_view text);

} // namespace skillhost::check
