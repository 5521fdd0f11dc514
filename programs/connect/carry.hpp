// SPDX-License-Identifier: Apache-2.0
// skillhost connect URL: a server elsewhere, for a client that speaks stdio alone.
#pragma once

#include "connection/settings.hpp"

namespace skillhost {

// Until the input ends or a signal comes; the exit code is 0. Throws when it cannot start.
int carry(ConnectSettings settings);

} // namespace skillhost
