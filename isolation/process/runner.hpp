// SPDX-License-Identifier: Apache-2.0
// The other end: a process that runs one instance of one plugin for a host.
#pragma once

#include <sys/types.h>

namespace skillhost::process {

// Confines itself, loads the plugin, creates the instance and answers until the host has gone.
// Descriptor 3 is the control socket, the channels follow. Returns the process's exit code only
// when it could not begin.
int runPlugin(pid_t host);

} // namespace skillhost::process
