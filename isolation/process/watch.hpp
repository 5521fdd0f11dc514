// SPDX-License-Identifier: Apache-2.0
// What the host sees of one runner besides its answers: what it prints, how many threads it has,
// and what it keeps. On the supervisor's thread.
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

// Why the cache folder, with so many bytes beside it, holds too much; empty when it does not.
std::string overQuota(const Start &start, std::uint64_t beside = 0);

class Watch {
public:
  // `output` becomes what the process gets as its standard output and error. Throws
  // std::system_error.
  Watch(const Start &start, Descriptor &output);

  // The first byte that a runner sends has been read from its control socket. Reads it.
  bool greeted(int control);
  struct Verdict {
    std::string refusal;  // why the plugin must not run; empty: it may
    bool verified = true; // the host could look at the process
  };
  // The runner has confined itself, and no code of the plugin has run yet. `complete`: all is in
  // place, says the runner.
  Verdict confined(pid_t process, bool complete);

  // Else it is only looked at from time to time.
  bool countsThreads() const noexcept { return gate_.number() >= 0; }

  using Polled = std::array<pollfd, 2>;
  Polled polled(Moment now) const;
  // When look() has something to do though nothing has come.
  Moment next(Moment now) const;
  // Does what is due. Why the process must be ended; empty when it may stay.
  std::string look(pid_t process, const Polled &polled);
  // The process has ended.
  void finish();

private:
  std::string measure(pid_t process);
  bool hasRun(pid_t process); // since this was asked last

  const Start &start_;
  ChildOutput output_;
  ThreadGate gate_;
  bool greeted_ = false, toldOfThreads_ = false;
  bool keepsFiles_ = false; // so many are allowed
  bool seesFiles_ = false;  // before the plugin could hide them
  Moment measureAt_ = Moment::max();
  std::optional<std::chrono::nanoseconds> ran_; // before the last measurement
};

} // namespace skillhost::process
