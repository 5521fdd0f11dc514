// SPDX-License-Identifier: Apache-2.0
// A process without a network.
#pragma once

namespace skillhost::check {

// From here on this process reaches nobody, not even itself. False where the kernel does not allow
// it; unshare() wants a process of one thread.
bool leaveNetwork() noexcept;

} // namespace skillhost::check
