// SPDX-License-Identifier: Apache-2.0
// Writing to a connection that the other side closed must not end the process.
#pragma once

#include <csignal>

namespace skillhost::web {

// Keeps SIGPIPE from this thread while it lives, and takes one that came meanwhile with it. The
// process's own handling is not touched: a plugin is a guest.
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
