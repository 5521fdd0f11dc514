// SPDX-License-Identifier: Apache-2.0
// A process that runs one instance of one plugin for a host.
#pragma once

#include <sys/types.h>

namespace skillhost::process {

// Confines itself, loads the plugin, creates the instance and serves calls until the host closes
// the control socket. Descriptor 3 is the control socket, and the channels follow. Returns an exit
// code only if it could not begin.
int runPlugin(pid_t host);

} // namespace skillhost::process
