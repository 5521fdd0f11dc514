// SPDX-License-Identifier: Apache-2.0
// Turns SIGINT, SIGTERM and SIGHUP into a state to check, so that interrupted code can remove
// half-done work.
#pragma once

#include "ground/descriptor.hpp"

#include <csignal>

namespace skillhost::model {

struct Interrupted {
  int signal = 0;
};

// Blocks the three signals during its lifetime. Make it before there are threads.
class Interruption {
public:
  Interruption(); // throws std::system_error
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;
  ~Interruption();

  // Readable when a signal has arrived.
  int descriptor() const noexcept { return arrived_.number(); }
  void check() const; // throws Interrupted

private:
  sigset_t signals_{}, before_{};
  Descriptor arrived_;
};

} // namespace skillhost::model
