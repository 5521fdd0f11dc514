// SPDX-License-Identifier: Apache-2.0
// URI templates (RFC 6570), as far as it takes to find the one that a URI was made from.
#pragma once

#include <string_view>

namespace skillhost {

// Could `uri` be what `pattern` expands to? {name} stands for at least one character but '/', '?'
// and '#'; {+name} and every other operator for any at all, none included.
bool fitsTemplate(std::string_view pattern, std::string_view uri);

} // namespace skillhost
