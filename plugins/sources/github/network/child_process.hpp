// SPDX-License-Identifier: Apache-2.0
// A program with pipes to its input, output and errors, ended with everything it started.
#pragma once

#include "remote/operation.hpp"

#include <array>
#include <string>
#include <vector>

#include <sys/types.h>

namespace skillhost::github {

// One thread. SIGPIPE must be kept from it.
class ChildProcess {
public:
  // Looks `arguments[0]` up in PATH. Throws skh::Error(SKH_UNAVAILABLE) when it cannot be started.
  explicit ChildProcess(const std::vector<std::string> &arguments);
  // Kills its process group and waits for it.
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  // At least one byte, or 0 when the program closed its output. Throws what the checkpoints throw.
  std::size_t read(const remote::Operation &operation, char *into, std::size_t most);
  // Throws skh::Error(SKH_UNAVAILABLE) when the program does not take it.
  void write(const remote::Operation &operation, std::string_view bytes);
  // The beginning of what it wrote to its standard error so far.
  const std::string &complaints() const noexcept { return complaints_; }

private:
  void await(const remote::Operation &operation, int file, short events);
  void listen();

  std::array<int, 3> files_{-1, -1, -1}; // its input, output and errors
  pid_t process_ = -1;
  std::string complaints_;
};

} // namespace skillhost::github
