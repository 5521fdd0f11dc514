// SPDX-License-Identifier: Apache-2.0
#include "interruption.hpp"

#include <sys/signalfd.h>

#include <cerrno>
#include <system_error>

namespace skillhost::model {

Interruption::Interruption() {
  sigemptyset(&signals_);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
    // The parent process ignores it, as nohup does, so it stays ignored.
    struct sigaction action{};
    if (::sigaction(each, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&signals_, each);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  arrived_.reset(::signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!arrived_) throw std::system_error(errno, std::generic_category(), "signalfd");
}

Interruption::~Interruption() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void Interruption::check() const {
  signalfd_siginfo info{};
  if (::read(arrived_.number(), &info, sizeof info) == sizeof info)
    throw Interrupted{static_cast<int>(info.ssi_signo)};
}

} // namespace skillhost::model
