// SPDX-License-Identifier: Apache-2.0
#include "sign_in.hpp"

#include "ground/descriptor.hpp"
#include "ground/shown.hpp"
#include "program.hpp"

#include <sys/signalfd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace skillhost {
namespace {

// Returns a descriptor that becomes readable when the user ends the program.
Descriptor endingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  Descriptor descriptor(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!descriptor) throw std::runtime_error("signalfd: no descriptor left");
  return descriptor;
}

} // namespace

int signIn(const LoginSettings &settings) {
  const Descriptor stop = endingSignals();
  ::signal(SIGPIPE, SIG_IGN);
  Login login(settings, [](const SignInAddress &address) {
    if (address.process != 0)
      printShown(stderr, "Another skillhost (process %lld) waits for the same sign-in.\n",
                 static_cast<long long>(address.process));
    printShown(stderr, "Open this address in a browser and sign in:\n\n  %s\n\n",
               address.text.c_str());
  });
  const Result<AccessToken> token = login.signIn(stop.number());
  if (!token) return programs::refuse(token.failure());
  printShown(stderr,
             "Signed in to %s. The tokens are in %s; skillhost connect %s --login uses them.\n",
             settings.url.c_str(), login.file().c_str(), settings.url.c_str());
  return 0;
}

int signOut(const LoginSettings &settings) {
  const Descriptor stop = endingSignals();
  ::signal(SIGPIPE, SIG_IGN);
  Login login(settings, [](const SignInAddress &address) {
    printShown(stderr,
               "Another skillhost (process %lld) waits for somebody to sign in; signing out when "
               "that has ended, or when it is stopped.\n",
               static_cast<long long>(address.process));
  });
  const Result<bool> done = login.signOut(stop.number());
  if (!done) return programs::refuse(done.failure());
  printShown(stderr, "%s %s.\n", *done ? "Signed out of" : "Nobody was signed in to",
             settings.url.c_str());
  return 0;
}

} // namespace skillhost
