// SPDX-License-Identifier: Apache-2.0
// Catches SIGINT, SIGTERM and SIGHUP as a flag that long work polls, so that it can clean up.
#pragma once

#include "ground/descriptor.hpp"

#include <csignal>

namespace skillhost::model {

struct Interrupted {
  int signal = 0;
};

// Blocks the three signals during its lifetime. Construct it before the first thread starts.
class InterruptionGuard {
public:
  InterruptionGuard(); // throws std::system_error
  InterruptionGuard(const InterruptionGuard &) = delete;
  InterruptionGuard &operator=(const InterruptionGuard &) = delete;
  ~InterruptionGuard();

  // Readable when a signal has arrived.
  int descriptor() const noexcept { return signalDescriptor_.number(); }
  void check() const; // throws Interrupted

private:
  sigset_t signals_{}, previousMask_{};
  Descriptor signalDescriptor_;
};

} // namespace skillhost::model
