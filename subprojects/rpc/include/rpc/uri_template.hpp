// SPDX-License-Identifier: Apache-2.0
// Matches URI templates (RFC 6570), as far as needed to find the one that a URI was made from.
#pragma once

#include <string_view>

namespace skillhost {

// True if `uri` can be an expansion of `pattern`. {name} stands for at least one character, but not
// for '/', '?' and '#'; {+name} and every other operator stand for any text, even none.
bool fitsTemplate(std::string_view pattern, std::string_view uri);

} // namespace skillhost
