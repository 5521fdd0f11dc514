// SPDX-License-Identifier: Apache-2.0
#include "http_client/signal_guard.hpp"

#include <ctime>

namespace skillhost::web {
namespace {

bool pending() {
  sigset_t waiting;
  return ::sigpending(&waiting) == 0 && ::sigismember(&waiting, SIGPIPE) == 1;
}

} // namespace

SignalGuard::SignalGuard() noexcept : wasPending_(pending()) {
  ::sigemptyset(&pipe_);
  ::sigaddset(&pipe_, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
}

SignalGuard::~SignalGuard() {
  if (!wasPending_ && pending()) {
    const timespec now{};
    ::sigtimedwait(&pipe_, nullptr, &now);
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace skillhost::web
