// SPDX-License-Identifier: Apache-2.0
// A program with pipes to its standard input and output.
#pragma once

#include "base/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace skillhost {

// One thread.
class ChildProcess {
public:
  // Fails when there is no such program, or the kernel refuses.
  static Result<ChildProcess> start(const std::vector<std::string> &words);
  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&) = delete;
  // Ends it: its input ends, after a second SIGTERM, after two more SIGKILL; to its whole group.
  ~ChildProcess();

  // Ours; they do not block.
  int input() const noexcept { return input_; }
  int output() const noexcept { return output_; }
  // How it has ended, in words; waits that long for it to.
  std::string end(std::chrono::milliseconds patience) const;

private:
  ChildProcess(pid_t id, int input, int output);
  bool ended(std::chrono::milliseconds patience) const;

  pid_t id_;
  int input_, output_, process_; // descriptors
};

} // namespace skillhost
