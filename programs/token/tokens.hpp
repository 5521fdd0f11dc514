// SPDX-License-Identifier: Apache-2.0
// skillhost token add | list | revoke: the file of tokens that the auth plugin static reads.
#pragma once

#include "options.hpp"

namespace skillhost {

// A new token goes to stdout once and is kept nowhere; everything else is said on stderr. Throws
// std::runtime_error when the file cannot be read or written, a name is taken or unknown.
void changeTokens(const TokenCommand &settings);

} // namespace skillhost
