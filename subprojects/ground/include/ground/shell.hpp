// SPDX-License-Identifier: Apache-2.0
// Quotes words for a POSIX shell.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// Returns the text as one word, unquoted if a shell reads it the same. Non-ASCII characters stay
// readable.
std::string shellQuoted(std::string_view text);

} // namespace skillhost
