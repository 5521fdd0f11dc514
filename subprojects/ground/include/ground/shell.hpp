// SPDX-License-Identifier: Apache-2.0
// Words of a POSIX shell.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// As one word; bare where no shell sees more in it. What is not ASCII stays readable.
std::string shellQuoted(std::string_view text);

} // namespace skillhost
