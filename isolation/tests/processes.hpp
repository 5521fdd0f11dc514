// SPDX-License-Identifier: Apache-2.0
// Observes the child processes of a test from outside the tested code.
#pragma once

#include <sys/types.h>

#include <vector>

namespace running {

// Returns the children of this process by process id, including dead ones that were not reaped.
std::vector<pid_t> runners();
// Sends SIGKILL and waits until the process is dead (not until it is reaped).
void killAndWait(pid_t process);
// Count open descriptors and threads of this process.
std::size_t openDescriptors();
std::size_t threads();

} // namespace running
