// SPDX-License-Identifier: Apache-2.0
// Runs skillhost as a child process with a time limit, and kills it at the end of the limit.
#pragma once

#include "ground/child_process.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace skillhost::check {

struct Ended {
  bool timedOut = false;
  int status = 0;            // status from waitpid()
  std::string output, error; // first 64 KiB of descriptors 1 and 2
  std::chrono::milliseconds took{0};
};

enum class Streams { Capture, Share }; // Share: both go to the parent's standard error

// The process gets the descriptors of `inherited` as 3, 4 and so on. It is killed after `limit`,
// and at its end all processes left in its group are killed. Throws std::runtime_error if it cannot
// be started.
Ended runProcess(const std::vector<std::string> &command, const std::vector<int> &inherited,
                 std::chrono::milliseconds limit, Streams streams,
                 Program::Environment environment);

// Returns "SIGSEGV", or "signal 40" for a signal without a name.
std::string signalName(int number);

} // namespace skillhost::check
