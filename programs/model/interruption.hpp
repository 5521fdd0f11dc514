// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP as something that is asked for, so that whoever is interrupted can
// take away what is half done.
#pragma once

#include "ground/descriptor.hpp"

#include <csignal>

namespace skillhost::model {

struct Interrupted {
  int signal = 0;
};

// While it lives the three are held back from this process. Made before there are threads.
class Interruption {
public:
  Interruption(); // throws std::system_error
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;
  ~Interruption();

  int descriptor() const noexcept { return arrived_.number(); } // readable when one has come
  void check() const;                                           // throws Interrupted

private:
  sigset_t signals_{}, before_{};
  Descriptor arrived_;
};

} // namespace skillhost::model
