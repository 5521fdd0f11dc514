// SPDX-License-Identifier: Apache-2.0
// A process of this program in another role: started, ended, reaped. It ends with the thread that
// started it.
#pragma once

#include "process/descriptor.hpp"

#include "base/result.hpp"

#include <sys/types.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::process {

// Two connected ends of a stream socket, closed on exec. Throws std::system_error.
std::pair<Descriptor, Descriptor> socketPair();

class Child {
public:
  // Runs `program arguments...` with nothing on descriptor 0, standard error on 1 and 2, and
  // `lent` from descriptor 3 on; of the environment it sees what names no secret.
  static Result<Child> start(const std::string &program, const std::vector<std::string> &arguments,
                             const std::vector<int> &lent);
  Child(Child &&other) noexcept;
  Child &operator=(Child &&) = delete;
  // Kills and reaps it when nobody has.
  ~Child();

  pid_t number() const noexcept { return number_; }
  // Readable once it has ended; -1 where the kernel has no such thing.
  int ended() const noexcept { return ended_.number(); }
  // SIGKILL to it and to what it has started. Any thread, also after it was reaped.
  void kill() noexcept;
  // Waits for its end and says how it ended: "ended by signal 9 (SIGKILL)", "exited with code 3".
  std::string reap();

private:
  explicit Child(pid_t number);
  pid_t number_;
  Descriptor ended_;
  std::mutex mutex_;
  bool reaped_ = false; // then the number may be somebody else's
};

} // namespace skillhost::process
