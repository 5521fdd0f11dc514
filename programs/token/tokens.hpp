// SPDX-License-Identifier: Apache-2.0
// skillhost token add | list | revoke changes the file of tokens that the auth plugin static reads.
#pragma once

#include "options.hpp"

namespace skillhost {

// Prints a new token to stdout once and keeps it nowhere; everything else goes to stderr. Throws
// std::runtime_error if the file cannot be read or written, or a name is taken or unknown.
void changeTokens(const TokenCommand &settings);

} // namespace skillhost
