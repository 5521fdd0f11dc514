// SPDX-License-Identifier: Apache-2.0
// Prevents a write to a closed connection from ending the process.
#pragma once

#include <csignal>

namespace skillhost::web {

// Blocks SIGPIPE in this thread during its lifetime, and consumes one that arrives meanwhile. It
// leaves the handling of the process alone, because a plugin is a guest there.
class SignalGuard {
public:
  SignalGuard() noexcept;
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

private:
  sigset_t pipe_{}, before_{};
  bool wasPending_ = false;
};

} // namespace skillhost::web
