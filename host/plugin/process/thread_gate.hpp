// SPDX-License-Identifier: Apache-2.0
// How many threads a plugin's process has. The kernel counts threads by user, not by process; so
// each new one waits for the host's word, by a seccomp filter that notifies (since Linux 5.5).
#pragma once

#include "base/descriptor.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace skillhost::process {

// While some of them start others at the same moment there may be up to twice as many.
constexpr std::uint32_t mostThreads = 256;

// In the process, while it has one thread, as the first thing that goes to the host on `control`:
// a byte, and with it what the host answers by, if the kernel has such a thing. For good.
void offerThreadGate(int control);

class ThreadGate {
public:
  // The host's part of it. False when there is nothing to read yet.
  bool accept(int control);
  // To poll for reading: -1 when there is none.
  int number() const noexcept { return notices_.number(); }
  // Takes one question of that process and answers it. True when a thread was refused.
  bool answer(pid_t process);
  void close() noexcept { notices_.reset(); }

private:
  Descriptor notices_;
};

} // namespace skillhost::process
