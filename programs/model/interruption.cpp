// SPDX-License-Identifier: Apache-2.0
#include "interruption.hpp"

#include <sys/signalfd.h>

#include <cerrno>
#include <system_error>

namespace skillhost::model {

InterruptionGuard::InterruptionGuard() {
  sigemptyset(&signals_);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
    // The parent process ignores it, as nohup does, so it stays ignored.
    struct sigaction action{};
    if (::sigaction(each, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&signals_, each);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals_, &previousMask_);
  signalDescriptor_.reset(::signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signalDescriptor_) throw std::system_error(errno, std::generic_category(), "signalfd");
}

InterruptionGuard::~InterruptionGuard() { ::pthread_sigmask(SIG_SETMASK, &previousMask_, nullptr); }

void InterruptionGuard::check() const {
  signalfd_siginfo info{};
  if (::read(signalDescriptor_.number(), &info, sizeof info) == sizeof info)
    throw Interrupted{static_cast<int>(info.ssi_signo)};
}

} // namespace skillhost::model
