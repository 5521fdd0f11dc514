// SPDX-License-Identifier: Apache-2.0
// A process with a limit of time, started from the program itself and never left behind.
#pragma once

#include "ground/child_process.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace skillhost::check {

struct Ended {
  bool timedOut = false;
  int status = 0;            // as waitpid() gives it
  std::string output, error; // what it wrote to 1 and 2, the first 64 KiB
  std::chrono::milliseconds took{0};
};

enum class Streams { Capture, Share }; // Share: 1 and 2 are both the parent's standard error

// The descriptors of `lent` are 3, 4 … in the process. After `limit` it is killed, and at its end
// whatever it has left running in its group. Throws std::runtime_error when it cannot be started.
Ended runProcess(const std::vector<std::string> &command, const std::vector<int> &lent,
                 std::chrono::milliseconds limit, Streams streams,
                 Program::Environment environment);

// "SIGSEGV", or "signal 40" for those without a name.
std::string signalName(int number);

} // namespace skillhost::check
