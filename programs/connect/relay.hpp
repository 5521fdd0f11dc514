// SPDX-License-Identifier: Apache-2.0
// skillhost connect URL forwards to an HTTP server, for a client that supports only stdio.
#pragma once

#include "connection/settings.hpp"

namespace skillhost {

// Runs until the input ends or a signal arrives; the exit code is 0. Throws if it cannot start.
int relayStdio(ConnectSettings settings);

} // namespace skillhost
