// SPDX-License-Identifier: Apache-2.0
// How many threads a plugin's process has. The kernel counts threads by user, not by process; so
// each new one waits for the host's word, by a seccomp filter that notifies (since Linux 5.5).
#pragma once

#include "ground/descriptor.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace skillhost::process {

// While some of them start others at the same moment there may be up to twice as many.
constexpr std::uint32_t mostThreads = 256;

// The kernel has one listener for a process: where its sockets come from the host, the listener of
// that filter hears of its threads too (see socket_filter.cpp).
enum class Listener : std::uint8_t { Own, OfSockets };

// In the process, while it has one thread, as the first thing that goes to the host on `control`:
// a byte, and with it what the host answers by, if there is such a thing. For good.
void offerThreadGate(int control, Listener listener);

// How many threads a process has, for all the host knows: where it cannot see them (/proc with
// hidepid), so many as it has let start since it last could, none of which it sees end.
struct ThreadCount {
  std::uint32_t known = 1;
  // Of one more. False when the process has all that it may.
  bool admits(pid_t process);
};

// In the host: answers the clone(2) of a process that has asked on `listener`. True when it was
// refused.
bool answerClone(int listener, std::uint64_t id, pid_t process, ThreadCount &count);

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
  ThreadCount count_;
};

} // namespace skillhost::process
