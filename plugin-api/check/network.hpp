// SPDX-License-Identifier: Apache-2.0
// Takes the network away from a process.
#pragma once

namespace skillhost::check {

// After this call the process reaches nobody, not even itself. Returns false if the kernel does not
// allow it. unshare() requires a process with one thread.
bool leaveNetwork() noexcept;

} // namespace skillhost::check
