// SPDX-License-Identifier: Apache-2.0
// Limits the threads of a plugin's process. The kernel counts threads by user, not by process, so
// each new thread needs the host's permission, through a seccomp filter that notifies (since Linux
// 5.5).
#pragma once

#include "ground/descriptor.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace skillhost::process {

// Up to twice as many may exist if several threads start others at the same moment.
constexpr std::uint32_t maxThreads = 256;

// The kernel allows only one listener per process. If the host supplies the sockets, the listener
// of that filter receives the new threads as well (see socket_filter.cpp).
enum class Listener : std::uint8_t { Own, OfSockets };

// Runs in the confined process while it has one thread. It sends a byte as the first message on
// `control`, with the listener attached if there is one. Cannot be undone.
void offerThreadGate(int control, Listener listener);

// Number of threads of a process, as far as the host knows. If it cannot see them (/proc with
// hidepid), it counts every thread that it allowed since, but none that ended.
struct ThreadCount {
  std::uint32_t known = 1;
  // Counts one more thread. Returns false if the process has reached the limit.
  bool admits(pid_t process);
};

// Runs in the host: answers the clone(2) of a process that notified `listener`. Returns true if it
// refused.
bool answerClone(int listener, std::uint64_t id, pid_t process, ThreadCount &count);

class ThreadGate {
public:
  // Receives the listener in the host. Returns false if there is nothing to read yet.
  bool accept(int control);
  // Descriptor to poll for reading; -1 if there is none.
  int number() const noexcept { return notices_.number(); }
  // Reads one notification of the process and answers it. Returns true if it refused a thread.
  bool answer(pid_t process);
  void close() noexcept { notices_.reset(); }

private:
  Descriptor notices_;
  ThreadCount count_;
};

} // namespace skillhost::process
