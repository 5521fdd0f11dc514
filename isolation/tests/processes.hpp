// SPDX-License-Identifier: Apache-2.0
// The child processes of a test, seen from outside the code under test.
#pragma once

#include <sys/types.h>

#include <vector>

namespace running {

// Children of this process, dead ones that nobody has reaped included, by number.
std::vector<pid_t> runners();
// SIGKILL, and waits until the process is dead (not until it is reaped).
void killAndWait(pid_t process);
// Open descriptors and threads of this process.
std::size_t openDescriptors();
std::size_t threads();

} // namespace running
