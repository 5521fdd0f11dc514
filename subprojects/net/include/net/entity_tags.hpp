// SPDX-License-Identifier: Apache-2.0
// Entity tags of requests (RFC 9110 §8.8.3, §13.1.2).
#pragma once

#include <string_view>

namespace skillhost {

// Returns true if the list of an If-None-Match field contains this tag or is "*". Uses weak
// comparison.
bool holdsTag(std::string_view list, std::string_view tag);

} // namespace skillhost
