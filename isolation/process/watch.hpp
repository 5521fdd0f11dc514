// SPDX-License-Identifier: Apache-2.0
// Observes one runner beside its answers: its output, its number of threads and its stored files.
// Only the supervisor's thread uses it.
#pragma once

#include "process/child_output.hpp"
#include "process/session.hpp"
#include "process/start.hpp"
#include "process/thread_gate.hpp"

#include <poll.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::process {

// Says why the cache folder, with `beside` more bytes, holds too much; empty if it does not.
std::string quotaProblem(const Start &start, std::uint64_t beside = 0);

class Watch {
public:
  // `output` receives the descriptor for the process's standard output and error. Throws
  // std::system_error.
  Watch(const Start &start, Descriptor &output);

  // Reads the first byte of a runner from its control socket. Returns true once it has been read.
  bool readGreeting(int control);
  struct Verdict {
    std::string refusal;  // reason why the plugin must not run; empty: it may
    bool verified = true; // the host could check the process
  };
  // The runner has confined itself, and no code of the plugin has run yet. `complete`: the runner
  // reports that everything is in place.
  Verdict checkConfinement(pid_t process, bool complete);

  // If false, the number of threads is only measured from time to time.
  bool countsThreads() const noexcept { return gate_.number() >= 0; }

  using PollSet = std::array<pollfd, 2>;
  PollSet pollSet(Moment now) const;
  // Time when handleEvents() has something to do even if no descriptor is ready.
  Moment next(Moment now) const;
  // Does everything that is due. Returns the reason why the process must be ended; empty if it may
  // stay.
  std::string handleEvents(pid_t process, const PollSet &pollSet);
  // Must be called after the process ended.
  void finish();

private:
  std::string measure(pid_t process);
  bool hasRun(pid_t process); // true if it has run since the previous call

  const Start &start_;
  ChildOutput output_;
  ThreadGate gate_;
  bool hasGreeted_ = false, hasWarnedOfThreads_ = false;
  bool hasCacheLimit_ = false; // the process has a folder with a limit
  bool canSeeOpenFiles_ =
      false; // the host could see its open files before the plugin could hide them
  Moment measureAt_ = Moment::max();
  std::optional<std::chrono::nanoseconds>
      lastProcessorTime_; // processor time before the last measurement
};

} // namespace skillhost::process
