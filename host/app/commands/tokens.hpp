// SPDX-License-Identifier: Apache-2.0
// skillhost token add | list | revoke: the file of tokens that the auth plugin static reads.
#pragma once

#include "app/command_line.hpp"

namespace skillhost::app {

// The exit code: 0, or 1 when the file cannot be read or written, a name is taken or unknown. A new
// token goes to stdout once and is kept nowhere; everything else is said on stderr.
int changeTokens(const TokenInvocation &invocation);

} // namespace skillhost::app
